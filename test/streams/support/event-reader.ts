/** A server-sent event. */
export interface ServerEvent {
  id: string | null;
  event: string;
  data: Record<string, unknown>;
}

/** Reads the events of a response as a browser does. Ends when the connection ends or the signal aborts. */
export async function* eventsOf(url: string, init: RequestInit = {}): AsyncGenerator<ServerEvent> {
  const response = await fetch(url, init);
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${response.status}: ${await response.text()}`);
  }
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = parsed(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== null) yield event;
    }
  }
}

/** Opens a stream to read it event by event. */
export function openEvents(url: string, headers: Record<string, string>) {
  const abort = new AbortController();
  const events = eventsOf(url, { headers, signal: abort.signal });
  return {
    async next(): Promise<ServerEvent> {
      const { value } = await events.next();
      return value as ServerEvent;
    },
    events,
    close: () => abort.abort(),
  };
}

/** Parses an event. Returns null for a comment. */
function parsed(block: string): ServerEvent | null {
  const fields = new Map(
    block
      .split("\n")
      .filter((line) => !line.startsWith(":"))
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()]),
  );
  const data = fields.get("data");
  if (data === undefined) return null;
  return { id: fields.get("id") ?? null, event: fields.get("event") ?? "message", data: JSON.parse(data) };
}
