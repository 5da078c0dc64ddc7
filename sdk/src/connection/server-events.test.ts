import { expect, it } from "vitest";
import { serverEvents } from "./server-events.ts";

it.each(["\u2028", "\u2029", "\r", "a\u2028b: c"])(
  "keeps a line with other line separators: %j",
  async (text) => {
    async function* pieces() {
      yield new TextEncoder().encode(`id: 1\nevent: block\ndata: {"symbol":"${text}x"}\n\n`);
    }
    const events = [];
    for await (const event of serverEvents(pieces())) events.push(event);
    expect(events).toEqual([{ id: "1", event: "block", data: `{"symbol":"${text}x"}` }]);
  },
);
