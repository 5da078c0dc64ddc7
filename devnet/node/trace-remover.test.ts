import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect, it } from "vitest";
import { TraceRemover } from "./trace-remover.ts";

/** Removes the traces from a dump that arrives in pieces of the given size. */
async function without(dump: string, size = dump.length): Promise<string> {
  const pieces = Array.from({ length: Math.ceil(dump.length / size) }, (_, i) =>
    Buffer.from(dump.slice(i * size, (i + 1) * size)),
  );
  const remover = new TraceRemover();
  const [kept] = await Promise.all([text(remover), pipeline(Readable.from(pieces), remover)]);
  return kept;
}

const DUMP = '[{"traces":[{"x":[1]}],"exit":"Stop"},{"traces":[],"exit":"Return"},{"a":"traces"}]';
const KEPT = '[{"traces":[],"exit":"Stop"},{"traces":[],"exit":"Return"},{"a":"traces"}]';

it("removes traces, wherever the dump is cut", async () => {
  for (let size = 1; size <= DUMP.length; size++) expect(await without(DUMP, size), `${size}`).toBe(KEPT);
});

it("keeps a dump without traces as it is", async () => {
  expect(await without('{"blocks":[1,2,3]}')).toBe('{"blocks":[1,2,3]}');
  expect(await without('{"blocks":[1,2,3]}', 4)).toBe('{"blocks":[1,2,3]}');
});

it("fails if the dump ends within traces", async () => {
  await expect(without(DUMP.slice(0, 15)).catch((error) => error.message)).resolves.toMatch(
    /within its traces/,
  );
});
