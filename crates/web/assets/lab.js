// All runs: failed and active ones first, polled only while somebody looks. A refresh keeps filter, scroll and focus.

import { ask, make, say } from "./page.js";

const element = (id) => document.getElementById(id);
const ORDER = ["at-work", "stopped", "quiet", "finished"];
let runs = [];

function notice(text) {
  element("notice").hidden = !text;
  element("notice").textContent = text ?? "";
}

/** Elo with its error, always the first player's. */
function eloText(match) {
  if (match.elo == null) return "–";
  const sign = match.elo > 0 ? "+" : "";
  return `${sign}${match.elo.toFixed(1)} ± ${match.error.toFixed(1)}`;
}

function card(run) {
  const link = make("a", { href: `/lab/run?name=${encodeURIComponent(run.name)}` }, run.name);
  const lines = [make("h2", {}, link), make("p", { class: `state ${run.state}` }, `${run.kind} · ${say(run.state)}`)];
  if (run.match) {
    const { match } = run;
    lines.push(make("p", {}, `${match.player} – ${match.opponents.join(", ")}`));
    lines.push(make("p", { class: "figures" }, `Elo ${eloText(match)} · ${match.all_games} / ${match.total}`));
    if (match.llr != null) lines.push(make("p", { class: "figures" }, `LLR ${match.llr.toFixed(2)} · ${match.verdict}`));
    const bar = make("progress", { max: match.total, value: match.all_games });
    lines.push(bar);
  }
  return make("article", { class: "card" }, ...lines);
}

function render() {
  const wanted = element("filter").value.toLowerCase();
  const shown = runs.filter((run) => `${run.name} ${run.kind}`.toLowerCase().includes(wanted));
  shown.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.name.localeCompare(b.name));
  element("runs").replaceChildren(...(shown.length ? shown.map(card) : [make("p", { class: "faint" }, say("no_runs"))]));
}

/** Lists the runs that a form can choose from; a choice that was made stays. */
function offerRuns() {
  for (const select of document.querySelectorAll("[data-runs]")) {
    const names = runs.filter((run) => run.kind === select.dataset.runs).map((run) => run.name);
    if (names.join() === [...select.options].map((option) => option.value).join() && names.length > 0) continue;
    const before = select.value;
    const none = make("option", { value: "", disabled: true, selected: true }, say("no_such_runs"));
    select.replaceChildren(...(names.length ? names.map((name) => make("option", { value: name }, name)) : [none]));
    if (names.includes(before)) select.value = before;
  }
}

async function poll() {
  if (document.hidden) return;
  try {
    ({ runs } = await ask("/api/runs"));
    notice(null);
    const focus = document.activeElement?.getAttribute("href");
    render();
    offerRuns();
    if (focus) [...document.querySelectorAll("#runs a")].find((link) => link.getAttribute("href") === focus)?.focus();
  } catch (error) {
    notice(error.code ? error.message : say("offline"));
  }
}

const asked = new URLSearchParams(location.search);
element("filter").value = asked.get("filter") ?? "";
element("filter").addEventListener("input", ({ target }) => {
  history.replaceState(null, "", target.value ? `?filter=${encodeURIComponent(target.value)}` : location.pathname);
  render();
});
/** What a form wants done. */
function workOf(form) {
  const fields = [...form.elements].filter((field) => field.name && field.name !== "name");
  const pairs = fields.map((field) => [field.name, field.type === "number" ? Number(field.value) : field.value.trim()]);
  const { first, second, ...others } = Object.fromEntries(pairs);
  return { kind: form.dataset.kind, ...others, ...(first ? { players: [first, second] } : {}) };
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-kind]");
  if (!form) return;
  event.preventDefault();
  try {
    await ask("/api/runs/start", { name: form.elements.name.value.trim(), work: workOf(form) });
    form.closest("details").open = false;
    setTimeout(poll, 1000);
  } catch (error) {
    notice(error.message);
  }
});
document.addEventListener("visibilitychange", poll);
setInterval(poll, 4000);
poll();
