// What every page does: words, data, tastes that are kept in cookies, and talking to the server.

const inner = (id) => JSON.parse(document.getElementById(id)?.textContent || "null");
const words = inner("words") || {};

/** What the server told this page. */
export const data = inner("data");

/** The words for a key in the visitor's language. */
export const say = (key) => words[key] ?? key;

/** A player's name with the words for its level, if it has one below full strength. */
export function playerName(player, level) {
  const name = !player || player === "alphabeta" ? "Yomi" : player;
  if (level == null || level >= 20) return name;
  return `${name} · ${words[`level_${level}`] ?? `${say("level")} ${level}`}`;
}

/** The language, `en` or `ja`. */
export const lang = document.documentElement.lang;

/** An element with a class, attributes and children; texts stay texts. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const SVG = "http" + "://www.w3.org/2000/svg";

/** An element of a picture. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A refusal of the server. */
export class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

async function answered(address, command) {
  const request = command === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(command),
  };
  const response = await fetch(address, request);
  if (!response.ok) {
    const answer = await response.json().catch(() => null);
    throw new Refusal(answer?.error?.code ?? "fault", answer?.error?.message ?? response.statusText);
  }
  return response;
}

/** Asks the server; a refusal is thrown with its code. */
export const ask = async (address, command) => (await answered(address, command)).json();

/** The same where the answer is a file. */
export const fetchFile = async (address, command) => (await answered(address, command)).blob();

/** Keeps a file under a name. */
export function download(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Keeps a taste for a year. */
export function keep(name, value) {
  document.cookie = `yomi_${name}=${value}; Max-Age=31536000; Path=/; SameSite=Strict`;
}

function tastes() {
  const root = document.documentElement;
  document.getElementById("theme")?.addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    keep("theme", root.dataset.theme);
  });
  document.getElementById("pieces")?.addEventListener("click", () => {
    root.dataset.pieces = root.dataset.pieces === "kanji" ? "international" : "kanji";
    keep("pieces", root.dataset.pieces);
    document.dispatchEvent(new CustomEvent("pieces"));
  });
}

tastes();
