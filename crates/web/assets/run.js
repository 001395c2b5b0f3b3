// One run: how a match stands, and its games to click through.

import { ask, data, make, say } from "./page.js";

const element = (id) => document.getElementById(id);
let seen = -1;
/** When the report was last drawn anew: seldom, since its scroll is lost. */
let drawn = Date.now();

function notice(text) {
  element("notice").hidden = !text;
  element("notice").textContent = text ?? "";
}

const tally = ({ wins, losses, draws }) => `${wins} / ${losses} / ${draws}`;

function standing({ result }) {
  const row = (head, text) => make("tr", {}, make("th", { scope: "row" }, head), make("td", {}, text));
  const elo = result.elo == null ? "–" : `${result.elo > 0 ? "+" : ""}${result.elo.toFixed(1)} ± ${result.error.toFixed(1)}`;
  const rows = [
    row(say("match_players"), `${result.player} – ${result.opponents.join(", ")}`),
    row("Elo", elo),
    row(say("games"), `${result.all_games} / ${result.total}`),
    row(say("tally"), `${result.wins} / ${result.losses} / ${result.draws}`),
    row(say("black"), tally(result.as_black)),
    row(say("white"), tally(result.as_white)),
    row(say("pairs"), result.pairs.join(" · ")),
    row(say("conditions"), result.conditions),
  ];
  if (result.llr != null) rows.push(row("LLR", `${result.llr.toFixed(2)} (${result.sprt.lower.toFixed(2)} … ${result.sprt.upper.toFixed(2)}), ${result.verdict}`));
  element("standing").hidden = false;
  element("standing").replaceChildren(make("table", {}, ...rows));
}

function games(list) {
  element("games-section").hidden = list.length === 0;
  const head = make("tr", {}, ...["", say("black"), say("white"), say("result"), say("end"), say("moves")].map((text) => make("th", {}, text)));
  const rows = list.map((game) => {
    const start = game.start === "startpos" ? "" : game.start;
    const address = `/analyse?${new URLSearchParams({ start, moves: game.moves.join(",") })}`;
    const link = make("a", { href: address }, `${game.pair}.${game.game}`);
    const result = game.winner === "draw" ? say("draw") : say(`wins_${game.winner}`);
    return make("tr", {}, make("td", {}, link), ...[game.black, game.white, result, game.end, String(game.moves.length)].map((text) => make("td", {}, text)));
  });
  element("match-games").replaceChildren(head, ...rows);
}

async function poll() {
  if (document.hidden || !data.is_match) return;
  try {
    const found = await ask(`/api/runs/match?name=${encodeURIComponent(data.run)}`);
    standing(found);
    // The table stays as it is while nothing was played: scroll and selection too.
    if (found.all !== seen) games(found.games);
    if (seen >= 0 && found.all !== seen && Date.now() - drawn > 20000) {
      element("report")?.setAttribute("src", element("report").getAttribute("src"));
      drawn = Date.now();
    }
    seen = found.all;
    if (found.result.finished) clearInterval(timer);
  } catch {
    clearInterval(timer);
  }
}

const act = (id, what) => element(id).addEventListener("click", async () => {
  try {
    await ask(`/api/runs/${what}`, { name: data.run });
    notice(say(what === "stop" ? "stop_asked" : "going_on"));
  } catch (error) {
    notice(error.message);
  }
});
act("stop", "stop");
act("go-on", "go-on");
document.addEventListener("visibilitychange", poll);
const timer = setInterval(poll, 4000);
poll();
