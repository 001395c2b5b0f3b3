// Values and lines of searches in words.

import { lang, make, say } from "./page.js";

/** The signs of mistakes. */
export const SIGNS = { inaccuracy: "?!", dubious: "?", mistake: "??", blunder: "???" };

/** The language of move names, where it is not the page's own. */
export const japanese = lang === "ja" ? "ja" : null;

/** A move in the visitor's notation. */
export const nameOf = (move) => move[lang] ?? move.usi;

/** A share in percent. */
export const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** A value as Black sees it. */
export function valueText(value) {
  if (!value) return "";
  if (value.cp != null) return value.cp > 0 ? `+${value.cp}` : String(value.cp);
  return `${value.winner === "black" ? "+" : "−"}${say("mate_in")} ${value.mate ?? ""}`.trim();
}

/** How far a search has come. */
export function factsText(found, isDone = false) {
  const best = found.lines[0];
  const parts = [
    `${say("depth")} ${best?.depth ?? 0}/${best?.selective ?? 0}`,
    `${found.nodes.toLocaleString(lang)} ${say("nodes")}`,
    `${found.nps.toLocaleString(lang)}/s`,
  ];
  if (isDone) parts.push(say("stopped"));
  return parts.join(" · ");
}

/** A line as an item of a list; its moves are buttons that know their place. `marked` is the first move to point out. */
export function lineItem(line, marked = -1) {
  const bound = { lower: "≥", upper: "≤" }[line.bound] ?? "";
  const moves = line.moves.map((move, index) => {
    const button = make("button", { type: "button", "data-index": index, lang: japanese }, nameOf(move));
    if (index === marked) button.classList.add("marked");
    return button;
  });
  const item = make("li", {},
    make("strong", {}, `${bound}${valueText(line.value)}`),
    make("span", { class: "faint" }, ` ${percent(line.value.black)} `),
    ...moves);
  item.line = line;
  return item;
}
