import { describe, expect, it } from "vitest";
import { sql } from "../../engine-sql/sql-text.ts";
import { engineOver } from "./transport-engine.ts";

/** As chDB does with a statement that is killed before it has read anything: it ends well, and has no rows. */
function killedEarly() {
  let end = () => {};
  const killed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = { rows: 0, rowsRead: null };
  return engineOver({
    read: () => killed.then(() => ({ bytes: new Uint8Array(), work })),
    open: () => killed.then(() => ({ chunks: (async function* () {})(), work })),
    pour: () => killed.then(() => work),
    execute: async () => {},
    insert: async () => {},
    kill: async () => end(),
    close: async () => {},
  });
}

async function rowsOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let rows = 0;
  for await (const _ of pieces) rows++;
  return rows;
}

const statement = sql`SELECT 1`;

describe("a statement that was told to stop", () => {
  it.each([
    ["query", (signal: AbortSignal) => killedEarly().query(statement, { signal })],
    ["stream", (signal: AbortSignal) => rowsOf(killedEarly().stream(statement, "CSV", { signal }))],
    [
      "stream of a small answer",
      (signal: AbortSignal) =>
        rowsOf(killedEarly().stream(statement, "CSV", { signal, whileRunning: true, maxBytes: 1 })),
    ],
    [
      "stream while it runs",
      (signal: AbortSignal) => rowsOf(killedEarly().stream(statement, "CSV", { signal, whileRunning: true })),
    ],
  ])("is no answer, even when it ends well: %s", async (_, ask) => {
    const stop = new AbortController();
    const asked = ask(stop.signal);
    stop.abort(new RangeError("enough"));
    await expect(asked).rejects.toThrow("enough");
  });

  it("is no answer when its time is over", async () => {
    await expect(killedEarly().query(statement, { timeoutMs: 5 })).rejects.toThrow("its limit of 5 ms");
  });
});
