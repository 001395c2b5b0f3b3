// Two players think about one position; where their lines part is marked.

import { Board } from "./board.js";
import { whyTable } from "./explanation.js";
import { factsText, lineItem } from "./lines.js";
import { ask, say } from "./page.js";
import { Position } from "./position.js";
import { listen } from "./streams.js";

const element = (id) => document.getElementById(id);
const form = element("question");
const sides = ["left", "right"].map((id) => ({ place: element(id), source: null, found: null, failed: (message) => notice(message) }));
const board = new Board(element("board"), (usi) => look([...path, usi]));
let start = "startpos";
let path = [];
let root = null;

function notice(text) {
  element("notice").hidden = !text;
  element("notice").textContent = text ?? "";
}

const question = (more) => new URLSearchParams({ start, moves: path.join(","), ...more });

async function look(moves) {
  path = moves;
  notice(null);
  try {
    root = await ask(`/api/position?${question({})}`);
  } catch (error) {
    return notice(error.message);
  }
  board.show({ position: new Position(root.sfen), legal: root.legal, last: root.last?.usi ?? null, check: root.check });
  for (const side of sides) {
    side.found = null;
    side.place.querySelector(".why").replaceChildren();
    const player = side.place.querySelector("input").value.trim();
    listen(`/api/search?${question({ player, lines: 3 })}`, side, {
      waiting: ({ ahead }) => (side.place.querySelector(".facts").textContent = `${say("waiting")} ${ahead ?? 0}`),
      lines: (found) => show(side, found, false),
      done: (found) => show(side, found, true),
    });
  }
  return undefined;
}

/** The first place at which the best lines differ; -1 if they do not, as far as they go. */
function parting() {
  const [left, right] = sides.map((side) => side.found?.lines[0]?.moves ?? []);
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) if (left[index].usi !== right[index].usi) return index;
  return -1;
}

function show(side, found, isDone) {
  side.found = found;
  side.isDone = isDone;
  const at = parting();
  for (const { place, found: known, isDone: done } of sides) {
    if (!known) continue;
    place.querySelector(".facts").textContent = factsText(known, done);
    place.querySelector(".lines").replaceChildren(...known.lines.map((line, rank) => lineItem(line, rank === 0 ? at : -1)));
  }
  side.place.querySelector(".why").replaceChildren(...whyTable(found));
  const both = sides.every(({ found: known }) => known?.lines.length);
  element("verdict").textContent = !both ? "" : at === 0 || at > 0 ? `${say("differ")} ${at + 1}` : say("agree");
  board.state.arrows = [...new Set(sides.map(({ found: known }) => known?.lines[0]?.moves[0]?.usi).filter(Boolean))];
  board.renderArrows();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = form.elements.position_text.value.trim() || "startpos";
  const [from, moves] = text.split(/\s*\bmoves\b\s*/);
  start = from || "startpos";
  look(moves ? moves.split(/[\s,]+/).filter(Boolean) : []);
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) sides.forEach((side) => side.source?.close());
});

board.show({ position: new Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1") });
