// The course of a game: Black's win rate after every move, always upwards, with the mistakes marked.

import { draw, say } from "./page.js";

const [HEIGHT, LEFT, TOP, BOTTOM] = [230, 40, 14, 200];

/** Draws win rates by ply; `pick(ply)` is called on a click. */
export function drawGraph(place, { values, mistakes, plies, current, pick }) {
  // Letters have the same size on a phone as on a desk.
  const width = Math.min(960, Math.max(320, place.clientWidth || 960));
  const right = width - 10;
  const across = (ply) => LEFT + ((right - LEFT) * ply) / Math.max(1, plies);
  const height = (rate) => BOTTOM - (BOTTOM - TOP) * rate;
  const image = draw("svg", { class: "plot game", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": say("graph_label") });
  const line = (x1, y1, x2, y2, kind) => draw("path", { class: kind, d: `M${x1},${y1}L${x2},${y2}` });
  for (const percent of [0, 25, 50, 75, 100]) {
    const y = height(percent / 100);
    image.append(line(LEFT, y, right, y, percent === 50 ? "even" : "grid"));
    image.append(draw("text", { class: "end small", x: LEFT - 6, y: y + 4 }, String(percent)));
  }
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((size) => plies / size <= width / 60) ?? 500;
  for (let ply = 0; ply <= plies; ply += step) {
    image.append(draw("text", { class: "mid small", x: across(ply), y: BOTTOM + 18 }, String(ply)));
  }
  const known = values.map((value, ply) => [ply, value]).filter(([, value]) => value != null);
  if (known.length > 1) {
    const points = known.map(([ply, rate]) => `${across(ply).toFixed(1)},${height(rate).toFixed(1)}`);
    const [first, last] = [known[0][0], known.at(-1)[0]];
    image.append(draw("path", { class: "area", d: `M${across(first)},${height(0.5)}L${points.join("L")}L${across(last)},${height(0.5)}Z` }));
    image.append(draw("path", { class: "c0 line", d: `M${points.join("L")}` }));
  }
  for (const { ply, side, kind, text } of mistakes) {
    if (values[ply] == null) continue;
    const [x, y] = [across(ply), height(values[ply])];
    const dot = side === "black"
      ? draw("circle", { class: `dot ${kind}`, cx: x, cy: y, r: 5.5 })
      : draw("rect", { class: `dot ${kind}`, x: x - 5, y: y - 5, width: 10, height: 10 });
    dot.append(draw("title", {}, text));
    image.append(dot);
  }
  image.append(line(across(current), TOP, across(current), BOTTOM, "current"));
  image.append(draw("text", { class: "faint small", x: LEFT + 6, y: TOP + 12 }, say("graph_label")));
  image.addEventListener("click", (event) => {
    const box = image.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    pick(Math.max(0, Math.min(plies, Math.round(((x - LEFT) / (right - LEFT)) * plies))));
  });
  place.replaceChildren(image);
}
