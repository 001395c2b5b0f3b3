// A game: shows what the server tells, and tells the server what the visitor does.

import { Board } from "./board.js";
import { ask, data, lang, make, playerName, say } from "./page.js";
import { Position } from "./position.js";
import { beep, click, turnSound } from "./sound.js";

const element = (id) => document.getElementById(id);
const isOwn = data.own;
let game = data.game;
let received = performance.now();
/** The positions of the game, the start first, and the one that is shown. */
let positions = [];
let shown = 0;

const board = new Board(element("board"), (move) => play(move));
const clocks = {};

function outline() {
  for (const side of ["black", "white"]) {
    clocks[side] = make("div", { class: "player" }, make("span", { class: "name" }), make("span", { class: "clock", role: "timer" }));
    board.stands[side].before(clocks[side]);
    clocks[side].classList.add(side);
  }
  board.flip(game.human === "white");
}

function sideWord(side) {
  if (!game.is_handicap) return say(side);
  return say(side === "white" ? "upper" : "lower");
}

/** Takes over what the server says, unless something newer is known. */
function take(next) {
  if (game && next.version < game.version) return;
  // A move of the visitor is shown before the server knows it: that is the last one, too.
  const wasLast = shown >= positions.length - 1;
  const before = positions.length;
  game = next;
  received = performance.now();
  positions = [new Position(game.start)];
  for (const { usi } of game.moves) positions.push(positions.at(-1).after(usi));
  if (wasLast || shown > positions.length - 1 || before === 0) shown = positions.length - 1;
  if (before && positions.length > before) click();
  render();
}

function render() {
  const isLast = shown === positions.length - 1;
  const isTurn = isOwn && isLast && !game.end && game.position.side === game.human;
  board.show({
    position: positions[shown],
    legal: isTurn ? game.position.legal : [],
    last: shown > 0 ? game.moves[shown - 1].usi : null,
    check: isLast ? game.position.check : null,
  });
  for (const side of ["black", "white"]) {
    const name = side === game.human ? say("you") : playerName(game.player, game.level);
    clocks[side].querySelector(".name").textContent = `${side === "black" ? "☗" : "☖"} ${sideWord(side)} · ${name}`;
  }
  element("status").textContent = status();
  renderMoves();
  renderEntering();
  if (isOwn) {
    element("take-back").disabled = game.moves.length === 0;
    element("resign").disabled = Boolean(game.end);
    element("declare").hidden = !game.declaration?.holds;
  }
  notice(game.trouble ?? (game.position.occurrences === 3 && !game.end ? say("third") : null));
  tick();
}

/** Whose turn it is, or how it ended, in words. */
function status() {
  const last = game.moves.at(-1);
  const moved = last ? `${game.moves.length}. ${last[lang]}` : "";
  if (game.end) {
    const winner = { black: "lower", white: "upper" }[game.end.winner];
    const result = game.end.winner ? say(`wins_${game.is_handicap ? winner : game.end.winner}`) : say("draw");
    const reason = say(game.end.reason === "time" ? "time_up" : game.end.reason);
    return `${moved} ${result}${lang === "ja" ? "。" : ". "}${reason}`.trim();
  }
  const check = game.position.check ? ` ${say("in_check")}.` : "";
  if (game.thinking) {
    const wait = game.ahead ? ` (${say("waiting")} ${game.ahead})` : "";
    return `${moved} ${say("thinking")}${wait}`.trim();
  }
  return `${moved}${check} ${isOwn ? say("your_turn") : ""}`.trim();
}

function renderMoves() {
  const list = element("moves");
  const item = (ply, text, isJapanese) => {
    const button = make("button", { type: "button", "data-ply": ply, lang: isJapanese ? "ja" : null }, text);
    if (ply === shown) button.setAttribute("aria-current", "true");
    return make("li", {}, button);
  };
  const items = game.moves.map((move, index) => item(index + 1, `${index + 1}. ${move[lang]}`, lang === "ja"));
  list.replaceChildren(item(0, say("start_position")), ...items);
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

function renderEntering() {
  const place = element("entering");
  const list = game.declaration;
  place.hidden = !list;
  if (!list) return;
  const line = (holds, text) => make("li", { class: holds ? "holds" : "fails" }, `${holds ? "✓" : "✗"} ${text}`);
  place.replaceChildren(make("h2", {}, say("entering")), make("ul", {},
    line(list.king_entered, say("king_entered")),
    line(list.entered >= 10, `${say("ten_others")}: ${list.entered}`),
    line(list.points >= list.needed, `${say("points")}: ${list.points} / ${list.needed}`),
    line(!list.in_check, say("not_in_check"))));
}

function notice(text) {
  const place = element("notice");
  place.hidden = !text;
  place.textContent = text ?? "";
}

async function send(what, command) {
  try {
    take(await ask(`/api/games/${game.id}/${what}`, { ply: game.moves.length, ...command }));
  } catch (error) {
    const known = { illegal: "illegal", stale: "stale" }[error.code];
    take(await ask(`/api/games/${game.id}`).catch(() => game));
    notice(known ? say(known) : error.message);
  }
}

function play(move) {
  // Shown at once; the server has the last word.
  positions.push(positions.at(-1).after(move));
  shown = positions.length - 1;
  board.show({ position: positions[shown], last: move });
  click();
  positions.pop();
  send("move", { move });
}

/** Time as minutes and seconds; tenths when it gets tight. */
function timeText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

let beeped = null;

function tick() {
  const clock = game.clock;
  for (const [index, side] of ["black", "white"].entries()) {
    const place = clocks[side].querySelector(".clock");
    place.hidden = !clock;
    if (!clock) continue;
    const runs = clock.running === side;
    const used = runs ? clock.used + performance.now() - received : 0;
    const left = clock.left[index] - used;
    const isByoyomi = left <= 0 && clock.byoyomi > 0;
    const rest = isByoyomi ? clock.byoyomi + (runs ? left : 0) : left;
    place.textContent = isByoyomi ? `${say("byoyomi")} ${timeText(rest)}` : timeText(left);
    place.classList.toggle("runs", runs);
    place.classList.toggle("short", runs && rest < 10000 && (isByoyomi || clock.byoyomi === 0));
    if (runs && isOwn && side === game.human && (isByoyomi || clock.byoyomi === 0)) warn(Math.ceil(rest / 1000));
  }
}

/** At 60, 30 and 20 seconds, then every second from 10. */
function warn(seconds) {
  if (seconds === beeped) return;
  beeped = seconds;
  if ([60, 30, 20].includes(seconds)) beep(660);
  else if (seconds <= 10 && seconds > 0) beep(seconds <= 5 ? 1100 : 880);
}

function step(to) {
  const last = positions.length - 1;
  const places = { first: 0, back: shown - 1, forward: shown + 1, last };
  shown = Math.max(0, Math.min(last, places[to] ?? Number(to)));
  render();
}

function confirmResign() {
  const dialog = make("dialog", { class: "card" }, make("p", {}, say("resign_sure")));
  const yes = make("button", { type: "button", class: "primary", id: "resign-yes" }, say("yes"));
  const no = make("button", { type: "button" }, say("no"));
  yes.addEventListener("click", () => {
    dialog.close();
    send("resign");
  });
  no.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(make("div", { class: "buttons" }, no, yes));
  document.body.append(dialog);
  dialog.showModal();
}

function listen() {
  element("take-back").addEventListener("click", () => send("take-back"));
  element("resign").addEventListener("click", confirmResign);
  element("declare").addEventListener("click", () => send("declare"));
  element("flip").addEventListener("click", () => board.flip());
  element("sound").addEventListener("click", ({ currentTarget }) => {
    const on = currentTarget.getAttribute("aria-pressed") !== "true";
    currentTarget.setAttribute("aria-pressed", String(on));
    turnSound(on);
  });
  element("moves").addEventListener("click", ({ target }) => target.dataset.ply && step(target.dataset.ply));
  document.querySelector(".steps").addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step]");
    if (button) step(button.dataset.step);
  });
  element("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = event.target.elements.move;
    const typed = field.value.trim();
    const move = game.position.legal.find((known) => known.toLowerCase() === typed.toLowerCase());
    field.value = "";
    if (move && game.position.side === game.human) play(move);
    else notice(say("illegal"));
  });
  board.root.addEventListener("refused", () => notice(say("illegal")));
  document.addEventListener("keydown", keyed);
}

function keyed(event) {
  const isField = event.target.closest?.("input, select, textarea, dialog");
  if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
  const places = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "first", ArrowDown: "last", Home: "first", End: "last", 0: "first", $: "last" };
  if (places[event.key]) {
    event.preventDefault();
    step(places[event.key]);
  } else if (event.key === "f") {
    board.flip();
  }
}

/** Follows the game; browsers connect again by themselves. */
function follow() {
  const source = new EventSource(`/api/games/${game.id}/events`);
  source.addEventListener("game", (event) => take(JSON.parse(event.data)));
  source.onerror = () => notice(say("offline"));
  document.addEventListener("visibilitychange", async () => {
    if (!document.hidden) take(await ask(`/api/games/${game.id}`).catch(() => game));
  });
}

outline();
listen();
take(game);
follow();
setInterval(tick, 200);
