// Streams of events about one question each, until they are done or somebody closes them.

import { ask, say } from "./page.js";

/**
 * Follows a stream until it is done; `holder.source` is what can be closed, and a stream that was replaced there is heard no
 * more. `holder.failed(message)` is called when it comes to nothing.
 */
export function listen(address, holder, handlers) {
  holder.source?.close();
  const source = new EventSource(address);
  holder.source = source;
  const failed = ({ message }) => holder.failed?.(message);
  for (const [kind, handler] of Object.entries({ ...handlers, failed })) {
    source.addEventListener(kind, (event) => {
      if (kind === "done" || kind === "failed") source.close();
      if (holder.source === source) handler(JSON.parse(event.data));
    });
  }
  source.onerror = async () => {
    source.close();
    if (holder.source !== source) return;
    // The stream itself tells no reason; asking once more does.
    const message = await reason(address);
    if (holder.source === source) holder.failed?.(message);
  };
}

async function reason(address) {
  try {
    const stop = new AbortController();
    const response = await fetch(address, { signal: stop.signal });
    if (response.ok) stop.abort();
    return response.ok ? say("error") : (await response.json()).error.message;
  } catch {
    return say("offline");
  }
}
