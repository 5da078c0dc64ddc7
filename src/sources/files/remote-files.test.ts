import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { remoteFiles } from "./remote-files.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const LIST = "checksums_sha256.txt";
const NAME = "mainnet-00000-00000001.ere";
const MINUTE_MS = 60_000;
const signal = new AbortController().signal;
const requireRoom = async () => {};

interface Trickle {
  clock: ManualClock;
  /** The path of the file that arrives slowly. The other files arrive at once. */
  slow: string;
  bytesPerMinute: number;
}

/** Starts a server that never finishes sending one of its files. The clock advances a minute before each piece. */
async function trickle({ clock, slow, bytesPerMinute }: Trickle): Promise<string> {
  const drip = (response: ServerResponse) => {
    response.write("a");
    const timer = setInterval(() => {
      void clock.advance(MINUTE_MS).then(() => response.write("a".repeat(bytesPerMinute)));
    }, 20);
    response.on("close", () => clearInterval(timer));
  };
  const server = createServer((request, response) => {
    if (request.url === `/${slow}`) drip(response);
    else response.end(`${"ab".repeat(32)}  ${NAME}\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("gives up a list that never ends because each byte takes a minute", { timeout: 10_000 }, async () => {
  const clock = new ManualClock();
  const url = await trickle({ clock, slow: LIST, bytesPerMinute: 1 });
  const cache = join(folder.path, "list");
  const listing = remoteFiles(url, { cache, requireRoom, signal, clock });
  await expect(listing).rejects.toThrow(/cannot read the list of files \S+: the server sends less than/);
});

it("gives up a download that never ends, and can resume it", { timeout: 10_000 }, async () => {
  const clock = new ManualClock();
  const url = await trickle({ clock, slow: NAME, bytesPerMinute: 1 });
  const cache = join(folder.path, "file");
  const [file] = await remoteFiles(url, { cache, requireRoom, signal, clock });
  const error = await file?.path(signal).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "endpoint", retryable: true });
  expect(String(error)).toMatch(/cannot download \S+: the server sends less than/);
  expect(readdirSync(cache)).toEqual([`${NAME}.part`]);
});

it("goes on with a slow download that makes progress", { timeout: 10_000 }, async () => {
  const clock = new ManualClock();
  const url = await trickle({ clock, slow: NAME, bytesPerMinute: 100_000 });
  const cache = join(folder.path, "slow");
  const [file] = await remoteFiles(url, { cache, requireRoom, signal, clock });
  const stop = new AbortController();
  const downloading = file?.path(stop.signal).catch((thrown: unknown) => thrown);
  const hour = new Promise<string>((resolve) => void clock.after(60 * MINUTE_MS, () => resolve("going on")));
  expect(await Promise.race([downloading, hour])).toBe("going on");
  stop.abort();
  await downloading;
});
