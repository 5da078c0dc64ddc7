import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makePipes, streamThroughPipe } from "./answer-pipe.ts";

let folder: string;
let pipe: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "quarry-pipe-"));
  pipe = join(folder, "pipe");
  await makePipes([pipe]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens the pipe after a delay, writes to it, and returns the exit code. Like the engine, it cannot be stopped. */
async function writeLater(delayMs: number): Promise<number> {
  await sleep(delayMs);
  const child = spawn("sh", ["-c", 'yes | head -c 1000000 > "$1"', "sh", pipe], { stdio: "ignore" });
  const [code] = await once(child, "exit");
  return code;
}

it("passes on everything that is written", async () => {
  let bytes = 0;
  const consume = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) bytes += chunk.length;
  };
  const code = await streamThroughPipe(pipe, consume, { write: () => writeLater(0), stop: () => {} });
  expect([code, bytes]).toEqual([0, 1_000_000]);
});

it.each([0, 300])("ends a writer that opens the pipe %i ms after its reader has failed", async (delayMs) => {
  let stops = 0;
  const running = streamThroughPipe(
    pipe,
    async (chunks) => {
      chunks.destroy();
      throw new Error("the client has left");
    },
    { write: () => writeLater(delayMs), stop: () => void stops++ },
  );
  await expect(running).rejects.toThrow("the client has left");
  expect(stops).toBeGreaterThan(0);
});
