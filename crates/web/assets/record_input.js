// Records come in: pasted, dropped, chosen as a file; the server reads them, whatever their format and encoding.

import { make, say } from "./page.js";

const place = (id) => document.getElementById(id);

/** Reads bytes; `take(game)` gets the first game, and any other that is chosen. */
export async function openBytes(bytes, take) {
  const refusal = place("open").querySelector(".refusal");
  refusal.hidden = true;
  try {
    const headers = { "content-type": "application/octet-stream" };
    const response = await fetch("/api/records", { method: "POST", headers, body: bytes });
    const found = await response.json();
    if (!response.ok) throw new Error(found.error.message);
    place("opening").open = found.games.length > 1 || found.refused.length > 0;
    listGames(found, take);
    take(found.games[0]);
  } catch (error) {
    place("opening").open = true;
    refusal.textContent = error.message;
    refusal.hidden = false;
  }
}

/** The same for a text. */
export const openText = (text, take) => openBytes(new TextEncoder().encode(text), take);

/** The games of a file, if there are several. */
function listGames({ games, refused }, take) {
  const list = place("games");
  list.hidden = games.length < 2 && refused.length === 0;
  const items = games.map((game, index) => {
    const [black, white] = game.players.map((name) => name ?? say("unknown_player"));
    const button = make("button", { type: "button" }, `${index + 1}. ☗ ${black} – ☖ ${white} (${game.moves.length})`);
    button.addEventListener("click", () => take(game));
    return make("li", {}, button);
  });
  if (refused.length > 0) items.push(make("li", {}, `${refused.length} ${say("refused_games")}: ${refused[0]}`));
  list.replaceChildren(...items);
}

/** Listens to the form, to files dropped anywhere, and to what is pasted outside of fields. */
export function listenToFiles(take) {
  const form = place("open");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    openText(form.elements.record.value, take);
  });
  form.elements.file.addEventListener("change", async ({ target }) => {
    if (target.files[0]) openBytes(await target.files[0].arrayBuffer(), take);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) openBytes(await file.arrayBuffer(), take);
    else openText(event.dataTransfer.getData("text"), take);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text");
    if (text) openText(text, take);
  });
}
