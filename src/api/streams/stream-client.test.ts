import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { NextStep } from "../../reads/streams/next-step.ts";
import { hashOf } from "../../reads/support/market.ts";
import { ChainStream } from "../../streams/chain-stream.ts";
import type { Position } from "../../streams/frame.ts";
import { StreamClient } from "./stream-client.ts";
import { blockRows, commitOf } from "./support/blocks.ts";
import { UnreadSink } from "./support/unread-sink.ts";

const BUFFER_BYTES = 10_000;
const NEWEST = 1_000;

it("keeps no rows for a client that resumes and does not read", async () => {
  const reads: number[] = [];
  const sink = new UnreadSink();
  const stream = new ChainStream("eth", commitOf(NEWEST), { load: async () => null, onSent: () => {} });
  const source = {
    chain: "eth",
    stream,
    clock: new ManualClock(),
    bufferBytes: BUFFER_BYTES,
    async nextStep(_: unknown, { block }: Position): Promise<NextStep> {
      reads.push(block);
      const rows = blockRows(Array.from({ length: 100 }, (_, i) => block + 1 + i));
      return { kind: "blocks", statesFrom: 0, rows };
    },
    load: async () => null,
    onFrame: () => {},
  };
  const events = [{ id: "b", table: "blocks" as const, conditions: [], minUsd: null, required: null }];
  const after = { commit: 1, block: 1, hash: hashOf(1) };
  const running = new StreamClient(source, sink, { events, states: [], after }).run();
  await new Promise(setImmediate);
  // Only the counted buffer holds data for the client; everything else will be read again.
  const sent = sink.events.length;
  expect([sent > 1, sent < 20, reads]).toEqual([true, true, [1]]);
  expect(sink.bufferedBytes).toBeLessThan(1.5 * BUFFER_BYTES);
  sink.read();
  await new Promise(setImmediate);
  expect(reads).toEqual([1, 1 + sent]);
  sink.destroy();
  await running;
});
