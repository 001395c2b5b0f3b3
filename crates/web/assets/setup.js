// Where a game begins: the form becomes a game, and the games of this browser are listed.

import { ask, make, playerName, say } from "./page.js";

const form = document.getElementById("new-game");
const refusal = form.querySelector(".refusal");

/** A player that was chosen keeps its own strength until somebody chooses another. */
let chosen = false;
form.elements.strength.addEventListener("change", () => (chosen = true));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const value = (name) => form.elements[name]?.value ?? "";
  const [main, byoyomi, increment] = value("time").split(",").map(Number);
  const side = value("side") === "random" ? (Math.random() < 0.5 ? "black" : "white") : value("side");
  const player = value("player").trim() || value("opponent");
  const wanted = {
    start: value("sfen").trim() || (value("handicap") === "HIRATE" ? "startpos" : value("handicap")),
    human: side,
    player,
    level: player && !chosen ? null : Number(value("strength")),
    clock: main + byoyomi + increment > 0 ? { main, byoyomi, increment } : null,
  };
  refusal.hidden = true;
  try {
    const { id } = await ask("/api/games", wanted);
    const games = own().slice(0, 19);
    games.unshift({ id, when: Date.now(), player, level: wanted.level, human: side });
    localStorage.setItem("games", JSON.stringify(games));
    location.assign(`/play/${id}`);
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
  }
});

function own() {
  try {
    return JSON.parse(localStorage.getItem("games")) ?? [];
  } catch {
    return [];
  }
}

function list() {
  const games = own();
  const place = document.getElementById("your-games");
  place.hidden = games.length === 0;
  place.querySelector("ul").replaceChildren(...games.map((game) => {
    const when = new Date(game.when).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    const link = make("a", { href: `/play/${encodeURIComponent(game.id)}` }, when);
    return make("li", {}, link, ` · ${say(game.human)} · ${playerName(game.player, game.level)}`);
  }));
}

list();
