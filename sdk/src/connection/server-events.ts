import { QuarryError } from "./quarry-error.ts";

/** A server-sent event. */
export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

/**
 * Yields the complete events in the chunks of a response. Leaves out comments and an event that is cut off.
 */
export async function* serverEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  let fields = new Map<string, string>();
  for await (const line of linesOf(pieces)) {
    if (line === "") {
      const data = fields.get("data");
      if (data !== undefined)
        yield { id: fields.get("id") ?? null, event: fields.get("event") ?? "message", data };
      fields = new Map();
    } else if (!line.startsWith(":")) {
      // The `s` flag is needed because data may contain U+2028 and other characters that JavaScript treats as
      // line ends, but event streams do not.
      const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      const isMore = name === "data" && fields.has(name);
      fields.set(name, isMore ? `${fields.get(name)}\n${value}` : value);
    }
  }
}

/** Yields complete lines, without their line ends. A long line can arrive in many chunks. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let begun: string[] = [];
  for await (const piece of pieces) {
    const [end = "", ...lines] = readable(() => decoder.decode(piece, { stream: true })).split("\n");
    begun.push(end);
    for (const line of lines) {
      yield begun.join("").replace(/\r$/, "");
      begun = [line];
    }
  }
}

function readable(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new QuarryError("not-quarry", "The stream is not text.", { cause });
  }
}
