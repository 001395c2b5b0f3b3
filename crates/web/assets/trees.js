// A tree that grows: a table whose rows can be folded, the board of the chosen node, and the line of alpha-beta beside it.

import { Board } from "./board.js";
import { factsText, japanese, lineItem, nameOf, percent, valueText } from "./lines.js";
import { ask, lang, make, say } from "./page.js";
import { Position } from "./position.js";
import { listen } from "./streams.js";

const element = (id) => document.getElementById(id);
const form = element("question");
const board = new Board(element("board"), (usi) => look([...path, usi]));

/** Where the question began, the moves down to the root of the tree, and what the rules say there. */
let start = "startpos";
let path = [];
let root = null;
let latest = null;
let chosen = null;
const folded = new Set();

const growing = { source: null, failed: (message) => notice(message) };
const beside = { source: null, failed: () => {} };

function notice(text) {
  element("notice").hidden = !text;
  element("notice").textContent = text ?? "";
}

const question = (more) => new URLSearchParams({ start, moves: path.join(","), ...more });

/** Looks at the position after these moves. */
async function look(moves) {
  path = moves;
  latest = chosen = null;
  folded.clear();
  notice(null);
  element("up").disabled = path.length === 0;
  try {
    root = await ask(`/api/position?${question({})}`);
  } catch (error) {
    return notice(error.message);
  }
  showBoard();
  listen(`/api/tree?${question({ player: form.elements.player.value.trim() })}`, growing, {
    waiting: ({ ahead }) => (element("facts").textContent = `${say("waiting")} ${ahead ?? 0}`),
    tree: showTree,
    done: showTree,
  });
  listen(`/api/search?${question({ player: "alphabeta", lines: 1, nodes: 2000000 })}`, beside, {
    waiting: ({ ahead }) => (element("search-facts").textContent = `${say("waiting")} ${ahead ?? 0}`),
    lines: (found) => showLine(found),
    done: (found) => showLine(found, true),
  });
  return undefined;
}

function showLine(found, isDone) {
  element("search-facts").textContent = factsText(found, isDone);
  element("search-lines").replaceChildren(...found.lines.map((line) => lineItem(line)));
}

/** The moves from the root down to a node. */
function movesTo(index) {
  const moves = [];
  for (let at = latest.nodes[index]; at?.parent != null; at = latest.nodes[at.parent]) moves.unshift(at.move.usi);
  return moves;
}

function showBoard() {
  const below = chosen == null ? [] : movesTo(chosen);
  const position = below.reduce((at, usi) => at.after(usi), new Position(root.sfen));
  const best = chosen == null && latest?.nodes.find((node) => node.parent === 0);
  board.show({
    position,
    legal: chosen == null ? root.legal : [],
    last: below.at(-1) ?? root.last?.usi ?? null,
    check: chosen == null ? root.check : null,
    arrows: best ? [best.move.usi] : [],
  });
}

const key = (index) => movesTo(index).join(" ");

/** Rows in the order of reading: a node, then what is below it. */
function rows() {
  const children = latest.nodes.map(() => []);
  latest.nodes.forEach((node, index) => node.parent != null && children[node.parent].push(index));
  const found = [];
  const walk = (index, depth) => {
    found.push({ index, depth, hasMore: children[index].length > 0 });
    if (!folded.has(key(index))) children[index].forEach((child) => walk(child, depth + 1));
  };
  if (latest.nodes.length > 0) walk(0, 0);
  return found;
}

function showTree(tree) {
  // What was chosen stays chosen while the tree grows around it.
  const wanted = chosen == null ? null : key(chosen);
  latest = tree;
  chosen = wanted == null ? null : tree.nodes.findIndex((_, index) => key(index) === wanted);
  if (chosen === -1) chosen = null;
  element("facts").textContent = `${(tree.visited ?? 0).toLocaleString(lang)} ${say("nodes")} · ${tree.expansions.toLocaleString(lang)} ${say("expanded")} · ${tree.size.toLocaleString(lang)} ${say("in_memory")}`;
  renderTable();
  showBoard();
}

function renderTable() {
  const words = ["move", "value", "win", "among", "whole_line", "D", "visits"];
  const head = make("tr", {}, ...words.map((word) => make("th", { scope: "col" }, say(word))));
  const body = rows().map(({ index, depth, hasMore }) => {
    const node = latest.nodes[index];
    const isFolded = folded.has(key(index));
    const fold = make("button", { type: "button", class: "fold", "data-fold": index, "aria-expanded": String(!isFolded) }, hasMore ? (isFolded ? "▸" : "▾") : "·");
    const name = make("button", { type: "button", class: "node", "data-node": index, lang: japanese }, node.move ? nameOf(node.move) : say("start_position"));
    if (index === chosen) name.setAttribute("aria-current", "true");
    const first = make("td", {}, fold, name);
    first.style.paddingLeft = `${depth * 1.1}rem`;
    const bar = make("span", { class: "share" });
    bar.style.width = `${node.realization * 100}%`;
    const cells = [valueText(node.value), percent(node.win_rate), percent(node.probability)].map((text) => make("td", {}, text));
    const line = make("td", { class: "shared" }, bar, make("span", {}, percent(node.realization)));
    const rest = [node.closed ? say("proven") : node.depth.toFixed(1), node.visits.toLocaleString(lang)].map((text) => make("td", {}, text));
    return make("tr", {}, first, ...cells, line, ...rest);
  });
  const focus = document.activeElement?.dataset;
  element("tree").replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
  if (focus?.node) element("tree").querySelector(`[data-node="${focus.node}"]`)?.focus();
}

element("tree").addEventListener("click", ({ target }) => {
  const { fold, node } = target.closest("button")?.dataset ?? {};
  if (fold != null) {
    const name = key(Number(fold));
    folded.has(name) ? folded.delete(name) : folded.add(name);
    renderTable();
  } else if (node != null) {
    const index = Number(node);
    // A second click goes there: the tree of that position grows on.
    if (chosen === index && index > 0) return look([...path, ...movesTo(index)]);
    chosen = index === 0 ? null : index;
    renderTable();
    showBoard();
  }
  return undefined;
});
element("up").addEventListener("click", () => look(path.slice(0, -1)));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = form.elements.position_text.value.trim() || "startpos";
  const [from, moves] = text.split(/\s*\bmoves\b\s*/);
  start = from || "startpos";
  look(moves ? moves.split(/[\s,]+/).filter(Boolean) : []);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  growing.source?.close();
  beside.source?.close();
});

board.show({ position: new Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1") });
