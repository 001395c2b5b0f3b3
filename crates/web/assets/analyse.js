// Analysis: a record with its variations, a live search, the mistakes of a game, and finding the better moves oneself.

import { Board } from "./board.js";
import { GameTree } from "./game_tree.js";
import { drawGraph } from "./graph.js";
import { SIGNS, factsText, japanese, lineItem, nameOf, percent, valueText } from "./lines.js";
import { ask, data, make, say } from "./page.js";
import { listenToFiles, openText } from "./record_input.js";
import { save } from "./record_output.js";
import { listen } from "./streams.js";

const element = (id) => document.getElementById(id);
const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

let tree = new GameTree(START);
let current = tree.root;
let players = [null, null];
/** How the game ended, if the record tells. */
let outcome = null;
/** The review of the main line: values by ply, moves with their costs. */
let review = null;
/** The place among the mistakes, while somebody looks for better moves. */
let lesson = null;
let arrows = [];

const board = new Board(element("board"), (usi) => moved(usi));
const mini = make("div", { class: "mini", hidden: true });
document.body.append(mini);
const miniBoard = new Board(mini, () => {});

/** The main line's move of a node in the review. */
const reviewed = (node) => (node.isMain ? review?.moves.find((move) => move.ply === node.ply) : null);

function go(node) {
  current = node;
  arrows = [];
  render();
  fetchView();
  search.restart();
}

function render() {
  const lessonView = lesson && lesson.asked === current ? lesson.move.position : null;
  board.show({
    position: current.position,
    legal: (lessonView ?? current.view)?.legal ?? [],
    last: current.move?.usi,
    check: current.view?.check ?? null,
    arrows,
  });
  renderMoves();
  renderGraph();
  element("status").textContent = status();
  const comment = current.comment ?? "";
  element("comment").textContent = comment;
  element("comment").hidden = !comment;
  element("delete").hidden = current.isMain;
  const [black, white] = players.map((name) => name ?? say("unknown_player"));
  if (players[0] || players[1]) document.title = `☗ ${black} – ☖ ${white}`;
}

function status() {
  if (!current.move) return [players[0] && `☗ ${players[0]}`, players[1] && `☖ ${players[1]}`].filter(Boolean).join("  ") || say("start_position");
  const parts = [`${current.ply}. ${nameOf(current.move)}`];
  const move = reviewed(current);
  if (move) {
    parts.push(valueText(move.value));
    if (move.class) parts.push(`${SIGNS[move.class]} ${say(move.class)}: ${percent(move.loss)} ${say("lost")}`);
    if (move.better?.length) parts.push(`${say("better")}: ${move.better.slice(0, 5).map(nameOf).join(" ")}`);
  } else if (current.value) {
    parts.push(valueText(current.value));
  }
  const end = current.view?.end;
  if (end) parts.push(say(end));
  return parts.join(" · ");
}

function moveButton(node) {
  const move = reviewed(node);
  const sign = move?.class ? ` ${SIGNS[move.class]}` : "";
  const button = make("button", { type: "button", "data-node": node.id, lang: japanese }, `${node.ply}. ${nameOf(node.move)}${sign}`);
  if (move?.class) button.classList.add(move.class);
  if (node === current) button.setAttribute("aria-current", "true");
  return button;
}

/** A branch, line after line; branches of it in brackets. */
function branch(node) {
  const parts = [];
  for (let at = node; at; at = at.children[0]) {
    parts.push(moveButton(at));
    if (at !== node) for (const other of at.parent.children.slice(1)) parts.push("(", ...branch(other), ")");
  }
  return parts;
}

function renderMoves() {
  const list = element("moves");
  const first = make("button", { type: "button", "data-node": tree.root.id }, say("start_position"));
  if (current === tree.root) first.setAttribute("aria-current", "true");
  const items = [make("li", { class: "whole" }, first)];
  for (const node of tree.main().slice(1)) {
    items.push(make("li", {}, moveButton(node)));
    for (const other of node.parent.children.filter((child) => child !== node)) {
      items.push(make("li", { class: "whole variation", "aria-label": say("variation") }, ...branch(other)));
    }
  }
  const lastMain = tree.main().at(-1);
  for (const other of lastMain.children.filter((child) => !child.isMain)) {
    items.push(make("li", { class: "whole variation", "aria-label": say("variation") }, ...branch(other)));
  }
  list.replaceChildren(...items);
  const marked = list.querySelector("[aria-current]");
  if (marked) list.scrollTop = marked.offsetTop - list.clientHeight / 2;
}

function renderGraph() {
  const main = tree.main();
  const values = main.map((node) => node.value?.black ?? null);
  review?.values.forEach((value, index) => (values[index + review.skipped] = value.black));
  const mistakes = (review?.moves ?? []).filter((move) => move.class).map((move) => ({
    ply: move.ply, side: move.side, kind: move.class, text: `${move.ply}. ${say(move.class)}, ${percent(move.loss)}`,
  }));
  const has = values.some((value) => value != null);
  element("graph").hidden = !has;
  if (!has) return;
  let at = current;
  while (!at.isMain) at = at.parent;
  drawGraph(element("graph"), { values, mistakes, plies: main.length - 1, current: at.ply, pick: (ply) => go(main[ply]) });
}

function renderSummary() {
  if (!review) return element("summary").replaceChildren();
  const row = (head, cells) => make("tr", {}, make("th", { scope: "row" }, head), ...cells.map((cell) => make("td", {}, String(cell))));
  const sides = [review.black, review.white];
  const table = make("table", {},
    make("tr", {}, make("td"), make("th", { scope: "col" }, say("black")), make("th", { scope: "col" }, say("white"))),
    row(say("agreement"), sides.map((side) => percent(side.agreement))),
    row(say("mean_loss"), sides.map((side) => percent(side.mean_loss))),
    ...Object.keys(SIGNS).map((kind) => row(`${SIGNS[kind]} ${say(kind)}`, sides.map((side) => side.counts[kind]))));
  element("learn").hidden = false;
  return element("summary").replaceChildren(table);
}

const question = (node, more = {}) => new URLSearchParams({ start: tree.start, moves: tree.path(node).join(","), ...more });

let resting = 0;

/** Asks what the rules say about the position, once nobody steps on. */
function fetchView() {
  clearTimeout(resting);
  if (!data.live || current.view) return;
  const node = current;
  resting = setTimeout(async () => {
    try {
      node.view = await ask(`/api/position?${question(node)}`);
      if (node === current) render();
    } catch (error) {
      notice(error.message);
    }
  }, 60);
}

/** Somebody moved on the board: a new branch, or an answer. */
async function moved(usi) {
  if (lesson && lesson.asked === current) return answer(usi);
  const parent = current;
  const node = tree.add(parent, { usi });
  go(node);
  try {
    node.view = await ask(`/api/position?${question(node)}`);
    Object.assign(node.move, node.view.last);
    keepTree();
    if (node === current) render();
  } catch (error) {
    go(tree.remove(node));
    notice(error.message);
  }
  return undefined;
}

function keepTree() {
  if (!data.live) return;
  try {
    localStorage.setItem("analysis", JSON.stringify({ tree: tree.toData(), path: tree.path(current), players, outcome, review }));
  } catch {
    // There is no room: the page works without.
  }
}

function notice(text) {
  const place = element("notice");
  place.hidden = !text;
  place.textContent = text ?? "";
}

/** Shows a record. */
function take(record, itsReview = null) {
  tree = GameTree.ofRecord(record);
  players = record.players ?? [null, null];
  outcome = record.outcome ?? null;
  review = itsReview;
  lesson = null;
  element("learning").hidden = true;
  element("learn").hidden = true;
  renderSummary();
  go(itsReview ? tree.root : tree.end(tree.root));
  keepTree();
}

/** The live search: one stream at a time, and never about a position that is no longer shown. */
const search = {
  source: null,
  isOn: false,
  failed: (message) => notice(message),

  toggle(on = !this.isOn) {
    this.isOn = on;
    element("engine")?.setAttribute("aria-pressed", String(on));
    on ? this.restart() : this.stop();
  },

  stop() {
    this.source?.close();
    this.source = null;
  },

  restart() {
    this.stop();
    if (!this.isOn || current.view?.end) return;
    const node = current;
    const more = { lines: element("lines").value, player: element("player").value.trim() };
    listen(`/api/search?${question(node, more)}`, this, {
      waiting: ({ ahead }) => facts(`${say("waiting")} ${ahead ?? 0}`),
      lines: (found) => node === current && showLines(node, found),
      done: (found) => {
        if (node === current) showLines(node, found, true);
      },
    });
  },
};

const facts = (text) => (element("search-facts").textContent = text);

function showLines(node, found, isDone = false) {
  const best = found.lines[0];
  facts(factsText(found, isDone));
  element("search-lines").replaceChildren(...found.lines.map((line) => lineItem(line)));
  if (best) element("bar").style.width = `${best.value.black * 100}%`;
  const near = (line) => line.value.cp == null || best.value.cp == null || Math.abs(line.value.cp - best.value.cp) <= 100;
  arrows = found.lines.filter(near).slice(0, 3).map((line) => line.moves[0]?.usi).filter(Boolean);
  board.state.arrows = arrows;
  board.renderArrows();
}

const reviewing = {
  source: null,
  failed: (message) => {
    endReview();
    notice(message);
  },
};

function endReview() {
  element("review").disabled = false;
  element("review").textContent = say("review");
}

function startReview() {
  search.toggle(false);
  const button = element("review");
  button.disabled = true;
  const main = tree.main();
  listen(`/api/review?${question(main.at(-1), { player: element("player").value.trim() })}`, reviewing, {
    waiting: ({ ahead }) => (button.textContent = `${say("waiting")} ${ahead ?? 0}`),
    progress: ({ done, all }) => (button.textContent = `${done} / ${all}`),
    done: (found) => {
      endReview();
      review = found;
      renderSummary();
      render();
      keepTree();
    },
  });
}

const mating = {
  source: null,
  failed: (message) => {
    element("mate").disabled = false;
    notice(message);
  },
};

function startMate() {
  const node = current;
  element("mate").disabled = true;
  listen(`/api/mate?${question(node)}`, mating, {
    waiting: ({ ahead }) => notice(`${say("waiting")} ${ahead ?? 0}`),
    done: ({ answer: found, moves }) => {
      element("mate").disabled = false;
      if (found === "mate") {
        notice(`${say("mate_found")} ${moves.length}: ${moves.map(nameOf).join(" ")}`);
        tree.addLine(node, moves);
        render();
        keepTree();
      } else {
        notice(say(found === "no-mate" ? "no_mate" : "mate_unknown"));
      }
    },
  });
}

/** Finding the better moves: from mistake to mistake. */
function learn() {
  const mistakes = review.moves.filter((move) => move.class && move.better?.length);
  if (mistakes.length === 0) return notice(say("learn_none"));
  search.toggle(false);
  lesson = { mistakes, index: -1 };
  return nextLesson();
}

function nextLesson() {
  lesson.index += 1;
  const move = lesson.mistakes[lesson.index];
  if (!move) return endLesson();
  lesson.move = move;
  lesson.asked = tree.main()[move.ply - 1];
  board.flip(move.side === "white");
  go(lesson.asked);
  const played = tree.main()[move.ply].move;
  return lessonCard(`${move.ply}. ${nameOf(played)} ${say("learn_prompt")} ${percent(move.loss)}. ${say("learn_find")}`);
}

function lessonCard(text) {
  const place = element("learning");
  const button = (word, act) => {
    const made = make("button", { type: "button" }, say(word));
    made.addEventListener("click", act);
    return made;
  };
  place.hidden = false;
  place.replaceChildren(
    make("h2", {}, `${say("learn")} ${lesson.index + 1}/${lesson.mistakes.length}`),
    make("p", { role: "status" }, text),
    make("div", { class: "buttons" }, button("learn_show", showAnswer), button("learn_next", nextLesson), button("learn_end", endLesson)));
}

function answer(usi) {
  const { move } = lesson;
  const known = move.candidates.find((candidate) => candidate.usi === usi);
  const loss = known ? Math.abs(known.value.black - move.best.black) : 1;
  if (usi === move.better[0].usi) showAnswer(say("learn_right"));
  else if (loss < 0.05 && usi !== move.usi) showAnswer(say("learn_good"));
  else lessonCard(say("learn_wrong"));
  render();
}

function showAnswer(text) {
  const { move, asked } = lesson;
  lesson.asked = null;
  tree.addLine(asked, move.better);
  go(tree.add(asked, move.better[0]));
  lessonCard(`${typeof text === "string" ? text : ""} ${say("better")}: ${move.better.slice(0, 6).map(nameOf).join(" ")} (${valueText(move.best)})`);
}

function endLesson() {
  lesson = null;
  element("learning").hidden = true;
  render();
}

function step(to) {
  const main = tree.main();
  const places = {
    first: () => tree.root,
    back: () => current.parent ?? current,
    forward: () => current.children[0] ?? current,
    last: () => tree.end(current),
    fork: () => tree.fork(current),
    mistake: () => {
      const next = review?.moves.find((move) => move.class && move.ply > (current.isMain ? current.ply : 0));
      return next ? main[next.ply] : current;
    },
  };
  const node = places[to]();
  if (node !== current) go(node);
}

function keyed(event) {
  if (event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const places = { ArrowLeft: event.shiftKey ? "fork" : "back", ArrowRight: "forward", ArrowUp: "first", ArrowDown: "last", Home: "first", End: "last", 0: "first", $: "last", m: "mistake", b: "mistake" };
  const isButton = event.target.closest?.("button");
  if (places[event.key]) {
    event.preventDefault();
    step(places[event.key]);
  } else if (event.key === "f") {
    board.flip();
  } else if (data.live && (event.key === "l" || (event.key === " " && !isButton))) {
    event.preventDefault();
    search.toggle();
  }
}

/** Shows where a line leads while the pointer is on it. */
function preview(event) {
  const button = event.target.closest("[data-index]");
  mini.hidden = !button;
  if (!button) return;
  const moves = button.closest("li").line.moves.slice(0, Number(button.dataset.index) + 1);
  const position = moves.reduce((at, move) => at.after(move.usi), current.position);
  miniBoard.flip(board.flipped);
  miniBoard.show({ position, last: moves.at(-1).usi });
  const box = button.getBoundingClientRect();
  mini.style.left = `${Math.max(8, Math.min(box.left, innerWidth - 300))}px`;
  mini.style.top = `${box.top > 330 ? box.top - 322 : box.bottom + 6}px`;
}

function listenToPage() {
  element("moves").addEventListener("click", ({ target }) => {
    const node = tree.nodes.get(target.closest("[data-node]")?.dataset.node);
    if (node) go(node);
  });
  document.querySelector(".steps").addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step]");
    if (button) step(button.dataset.step);
  });
  element("flip").addEventListener("click", () => board.flip());
  element("learn").addEventListener("click", learn);
  element("delete").addEventListener("click", () => {
    go(tree.remove(current));
    keepTree();
  });
  document.addEventListener("keydown", keyed);
}

function listenToEngine() {
  element("engine").addEventListener("click", () => search.toggle());
  element("lines").addEventListener("change", () => search.restart());
  element("player").addEventListener("change", () => search.restart());
  element("review").addEventListener("click", startReview);
  element("mate").addEventListener("click", startMate);
  element("export").addEventListener("click", ({ target }) => {
    const button = target.closest("[data-format]");
    if (button) save(button.dataset.format, { tree, players, outcome, review }).catch((error) => notice(error.message));
  });
  const lines = element("search-lines");
  lines.addEventListener("pointerover", preview);
  lines.addEventListener("pointerleave", () => (mini.hidden = true));
  lines.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-index]");
    if (!button) return;
    mini.hidden = true;
    go(tree.addLine(current, button.closest("li").line.moves.slice(0, Number(button.dataset.index) + 1)));
    keepTree();
  });
  // Phones suspend streams; a hidden page searches for nobody.
  document.addEventListener("visibilitychange", () => (document.hidden ? search.stop() : search.restart()));
}

/** What the address names, else what was looked at last. */
async function begin() {
  const asked = new URLSearchParams(location.search);
  if (!data.live) return take(data.record, data.review);
  if (asked.has("game")) {
    try {
      const game = await ask(`/api/games/${asked.get("game").replace(/[^a-z0-9]/g, "")}`);
      const { winner = null, reason } = game.end ?? {};
      const ended = game.end && { winner, draw: !winner, reason: { time: "time-up", "too-long": "max-moves" }[reason] ?? reason };
      return take({ ...game, outcome: ended, players: game.human === "black" ? [say("you"), game.player] : [game.player, say("you")] });
    } catch (error) {
      notice(error.message);
    }
  }
  if (asked.has("start") || asked.has("moves")) {
    return openText(`${asked.get("start") || "startpos"} moves ${(asked.get("moves") ?? "").replaceAll(",", " ")}`, take);
  }
  try {
    const kept = JSON.parse(localStorage.getItem("analysis"));
    tree = GameTree.ofData(kept.tree);
    ({ players, outcome = null, review } = kept);
    renderSummary();
    return go(kept.path.reduce((node, usi) => tree.add(node, { usi }), tree.root));
  } catch {
    tree = new GameTree(START);
    element("opening").open = true;
    return go(tree.root);
  }
}

listenToPage();
if (data.live) {
  listenToEngine();
  listenToFiles(take);
}
begin();
