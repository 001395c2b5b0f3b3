// Why a linear evaluation values a position as it does: what each theme adds, and what the best move changes.

import { japanese, nameOf } from "./lines.js";
import { make, say } from "./page.js";

const plain = (number) => String(Math.round(number)).replace("-", "−");
const signed = (number) => (Math.round(number) > 0 ? `+${plain(number)}` : plain(number));
const balance = ({ black, white }) => black - white;

/** The table of an explanation, if the search has one: for Black, for White, the balance, and the change by the best move. */
export function whyTable({ explained, lines }) {
  if (!explained) return [];
  const { themes, value, value_after: after } = explained;
  const row = (name, now, change) => make("tr", {},
    make("th", { scope: "row" }, name),
    ...[plain(now.black), plain(now.white), signed(balance(now)), ...(after == null ? [] : [signed(change)])].map((text) => make("td", {}, text)));
  const sum = (of) => themes.reduce((total, { now }) => total + of(now), 0);
  const best = lines[0]?.moves[0];
  const head = [make("td"), ...["black", "white", "balance"].map((key) => make("th", { scope: "col" }, say(key)))];
  if (after != null) {
    head.push(make("th", { scope: "col" }, "Δ ", make("span", { lang: japanese }, best ? nameOf(best) : explained.move)));
  }
  const rows = themes.map((theme) => row(say(`theme_${theme.name}`), theme.now, theme.after ? balance(theme.after) - balance(theme.now) : 0));
  const all = { black: sum(({ black }) => black), white: sum(({ white }) => white) };
  const last = row(say("together"), all, after - value);
  return [make("table", {}, make("caption", {}, say("why")), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows), make("tfoot", {}, last))];
}
