import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { IndexingView } from "./indexing-view.ts";
import type { Figures } from "./live-figures.ts";

const PROGRESS = { block: 50, from: 1, target: 100, blocksPerSecond: 5, logsPerSecond: 50, etaSeconds: 10 };

const FIGURES: Figures = {
  block: 50,
  lag: 0,
  blocksPerSecond: 5,
  tradesPerSecond: 1,
  requestsPerSecond: 0,
  runningQueries: 0,
  memoryBytes: 1,
};

/** Returns a view on a terminal, and a function that ends the terminal and returns all its output. */
function onTerminal() {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  const stream = terminal as unknown as NodeJS.WriteStream;
  const view = new IndexingView({ stream, log: () => {} });
  const written = () => {
    terminal.end();
    return text(terminal);
  };
  return { view, written };
}

it("leaves the final progress of a backfill on the terminal", async () => {
  const { view, written } = onTerminal();
  view.update(PROGRESS);
  view.stop();
  expect(await written()).toMatch(/indexing .* block 50 of 100 .*ETA 10s\n$/);
});

it("draws nothing after it is stopped, even if figures arrive later", async () => {
  const { view, written } = onTerminal();
  const { promise, resolve } = deferred();
  view.follow({ read: () => promise });
  view.stop();
  resolve(FIGURES);
  await promise;
  await new Promise(setImmediate);
  expect(await written()).toBe("");
});

function deferred(): { promise: Promise<Figures>; resolve: (figures: Figures) => void } {
  let resolve: (figures: Figures) => void = () => {};
  const promise = new Promise<Figures>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
