import { expect, it } from "vitest";
import { blockRows, commitOf } from "../api/streams/support/blocks.ts";
import { ManualClock } from "../lib/support/manual-clock.ts";
import { ChainStream, type Subscriber } from "./chain-stream.ts";
import type { Frame } from "./frame.ts";

const NEWEST = 100;
const SUBSCRIBERS = 30;

/** Takes a millisecond for each frame, so that a block to all subscribers takes several slices. */
class SlowSubscriber implements Subscriber {
  readonly events = [];
  readonly blocks: (number | undefined)[] = [];

  send({ position }: Frame): void {
    for (const untilMs = performance.now() + 1; performance.now() < untilMs; );
    this.blocks.push(position?.block);
  }

  interrupt(): void {}
}

function openStream() {
  const sent: number[] = [];
  const stream = new ChainStream("eth", commitOf(NEWEST), {
    load: async () => null,
    onSent: ({ blockNumber }) => void sent.push(blockNumber),
    clock: new ManualClock(),
    signal: new AbortController().signal,
  });
  const subscribers = Array.from({ length: SUBSCRIBERS }, () => new SlowSubscriber());
  for (const subscriber of subscribers) stream.join(subscriber);
  const extend = (number: number) => stream.extended(commitOf(number), blockRows([number]));
  const allSent = async (block: number) => {
    while (sent.at(-1) !== block) await new Promise(setImmediate);
  };
  return { stream, subscribers, extend, sent, allSent };
}

it("sends the blocks to all subscribers in order, with pauses", async () => {
  const { subscribers, extend, sent, allSent } = openStream();
  extend(NEWEST + 1);
  extend(NEWEST + 2);
  const early = subscribers.filter(({ blocks }) => blocks.length > 0).length;
  expect([early > 0, early < SUBSCRIBERS, sent]).toEqual([true, true, []]);
  await allSent(NEWEST + 2);
  for (const { blocks } of subscribers) expect(blocks).toEqual([NEWEST + 1, NEWEST + 2]);
  expect(sent).toEqual([NEWEST + 1, NEWEST + 2]);
});

it("sends nothing to a subscriber that leaves before its turn, and no older block if it joins again", async () => {
  const { stream, subscribers, extend, allSent } = openStream();
  const [leaving, returning] = subscribers.slice(-2) as [SlowSubscriber, SlowSubscriber];
  extend(NEWEST + 1);
  for (const subscriber of [leaving, returning]) stream.leave(subscriber);
  stream.join(returning);
  const late = new SlowSubscriber();
  stream.join(late);
  extend(NEWEST + 2);
  await allSent(NEWEST + 2);
  expect([leaving.blocks, returning.blocks, late.blocks]).toEqual([[], [NEWEST + 2], [NEWEST + 2]]);
});

it("sends a rollback after the blocks that it removes", async () => {
  const { stream, subscribers, extend, allSent } = openStream();
  extend(NEWEST + 1);
  stream.rolledBack(commitOf(NEWEST));
  extend(NEWEST + 1);
  await allSent(NEWEST + 1);
  while (subscribers.some(({ blocks }) => blocks.length < 3)) await new Promise(setImmediate);
  for (const { blocks } of subscribers) expect(blocks).toEqual([NEWEST + 1, NEWEST, NEWEST + 1]);
});
