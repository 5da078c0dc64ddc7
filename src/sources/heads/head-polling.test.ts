import { describe, expect, it } from "vitest";
import { seeded } from "../../../test/support/seeded.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { DEFAULT_RPC_LIMITS } from "../rpc/limits.ts";
import { settled } from "../support/manual-time.ts";
import { type Call, ETH, endpoint, open } from "../support/rpc-endpoints.ts";
import { HeadAnnouncements } from "./head-announcements.ts";
import type { TimedHead } from "./head-polling.ts";

/** Milliseconds from a request to its response, and from the response until the block is committed. */
const RESPONSE_MS = 10;
const COMMIT_MS = 100;
/** Number of blocks after which the rhythm of a chain is known. */
const FIRST_BLOCKS = 8;

interface Arrival {
  /** Time from which on the node has the block. */
  atMs: number;
  head: TimedHead;
}

interface Slots {
  blocks: number;
  slotMs?: number;
  /** Maximum share of a slot by which a block is early or late. */
  jitter?: number;
  /** Slots without a block. */
  missed?: number[];
  /** Time of slot 0, in Unix seconds. The first block comes in slot 1. */
  startSeconds?: number;
}

const hash = (number: number, fork = 0) => `0x${fork}${number}` as const;

/** Returns blocks that come in slots. Their headers have the times of the slots. */
function inSlots({ blocks, slotMs = 12_000, jitter = 0.1, missed = [], startSeconds = 5_000 }: Slots) {
  const random = seeded(3);
  const arrivals: Arrival[] = [];
  for (let slot = 1; arrivals.length < blocks; slot++) {
    if (missed.includes(slot)) continue;
    const number = arrivals.length + 1;
    const timestamp = startSeconds + Math.floor((slot * slotMs) / 1_000);
    const atMs = slotMs * (slot + jitter * (2 * random() - 1));
    arrivals.push({ atMs, head: { number, hash: hash(number), timestamp } });
  }
  return arrivals;
}

/** Returns blocks that come at random times, `meanMs` apart on average. */
function atAnyTime(blocks: number, meanMs: number): Arrival[] {
  const random = seeded(5);
  let atMs = 0;
  return Array.from({ length: blocks }, (_, i) => {
    atMs -= Math.log(1 - random()) * meanMs;
    const timestamp = 5_000 + Math.floor(atMs / 1_000);
    return { atMs, head: { number: i + 1, hash: hash(i + 1), timestamp } };
  });
}

interface Options {
  blockTimeMs?: number;
  headRequestsPerBlock?: number;
  /** Returns how many milliseconds the response takes to a request sent at this time. */
  responseMs?: (atMs: number) => number;
  /** Jumps of the wall clock. */
  wallSteps?: { atMs: number; byMs: number }[];
  /** How long to poll; default: until a second after the last block. */
  untilMs?: number;
}

interface Polled {
  /** Milliseconds from each block's arrival to the request that returns it, by number. */
  delays: number[];
  /** When each request was sent. */
  requests: number[];
  /** The waits between the end of a commit or a response and the next request. */
  waits: number[];
}

/** Follows the chain as the indexer does. Like the indexer by default, polls four times per block time. */
async function poll(arrivals: Arrival[], options: Options = {}): Promise<Polled> {
  const { blockTimeMs = 12_000, headRequestsPerBlock, responseMs = () => RESPONSE_MS } = options;
  const clock = new ManualClock();
  const abort = new AbortController();
  const limits = { ...DEFAULT_RPC_LIMITS, ...(headRequestsPerBlock && { headRequestsPerBlock }) };
  const logger = { info: () => undefined, warn: () => undefined };
  const chain = { ...ETH, blockTimeMs };
  const heads = new HeadAnnouncements({ chain, limits, clock, logger, signal: abort.signal });
  for (const { atMs, byMs } of options.wallSteps ?? []) clock.after(atMs, () => clock.stepWall(byMs));
  const polled: Polled = { delays: [], requests: [], waits: [] };

  async function request(): Promise<void> {
    const sentMs = clock.monotonic();
    polled.requests.push(sentMs);
    heads.requesting();
    const newest = arrivals.findLast(({ atMs }) => atMs <= sentMs);
    await clock.sleep(responseMs(sentMs));
    if (newest === undefined) return;
    heads.found(newest.head);
    if (polled.delays[newest.head.number] !== undefined) return;
    polled.delays[newest.head.number] = sentMs - newest.atMs;
    await clock.sleep(COMMIT_MS);
  }

  async function follow(): Promise<void> {
    while (!abort.signal.aborted) {
      const startedMs = clock.monotonic();
      await request();
      const endedMs = clock.monotonic();
      await heads.next(Math.max(0, blockTimeMs / 4 - (endedMs - startedMs)), abort.signal);
      polled.waits.push(clock.monotonic() - endedMs);
    }
  }

  const following = follow();
  await clock.advance(options.untilMs ?? (arrivals.at(-1)?.atMs ?? 0) + 1_000);
  abort.abort();
  await clock.advance(60_000);
  await following;
  return polled;
}

/** Returns a quantile: the given share of the values is at or below it. */
function at(share: number, values: number[]): number {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

const between = (values: number[], fromMs: number, toMs: number) =>
  values.filter((value) => value >= fromMs && value < toMs).length;

describe("polling for the head of a chain with regular blocks", () => {
  it("finds blocks every 12 s within the budget, half of them in 150 ms, and nearly all in 700", async () => {
    const { delays, requests } = await poll(inSlots({ blocks: 150 }));
    const known = delays.slice(20);
    expect(at(0.5, known)).toBeLessThan(150);
    expect(at(0.99, known)).toBeLessThan(700);
    expect(requests.length / 150).toBeLessThan(8);
  });

  it("finds blocks every 2 s in 100 ms, with about four requests for each", async () => {
    const { delays, requests } = await poll(inSlots({ blocks: 150, slotMs: 2_000 }), { blockTimeMs: 2_000 });
    const known = delays.slice(20);
    expect(at(0.5, known)).toBeLessThan(75);
    expect(at(0.99, known)).toBeLessThan(150);
    expect(requests.length / 150).toBeLessThan(4.2);
  });

  it("polls at the given interval until it knows the rhythm, and then waits until a block is due", async () => {
    const arrivals = inSlots({ blocks: 20 });
    const { requests } = await poll(arrivals);
    const knownMs = (arrivals[FIRST_BLOCKS - 1]?.atMs ?? 0) + 3_000;
    const gaps = requests.slice(1).map((atMs, i) => ({ atMs, gapMs: atMs - (requests[i] ?? 0) }));
    const first = gaps.filter(({ atMs }) => atMs < knownMs - 3_000);
    expect(first.length).toBeGreaterThan(25);
    expect(new Set(first.map(({ gapMs }) => Math.round(gapMs)))).toEqual(new Set([3_000]));
    const later = gaps.filter(({ atMs }) => atMs > knownMs + 3_000).map(({ gapMs }) => gapMs);
    expect(Math.max(...later)).toBeGreaterThan(6_000);
    expect(Math.min(...later)).toBeLessThan(250);
  });

  it("follows blocks that come earlier or later than before", async () => {
    for (const shiftMs of [-1_000, 1_000]) {
      const arrivals = inSlots({ blocks: 70, jitter: 0.02 }).map((arrival, i) =>
        i < 30 ? arrival : { ...arrival, atMs: arrival.atMs + shiftMs },
      );
      const { delays } = await poll(arrivals);
      expect(Math.max(...delays.slice(20, 30))).toBeLessThan(300);
      expect(Math.max(...delays.slice(31))).toBeLessThan(1_100);
      expect(Math.max(...delays.slice(50))).toBeLessThan(300);
    }
  });

  it("compares header times only with each other, and durations only by the monotonic clock", async () => {
    const requestsOf = async (startSeconds: number, wallSteps: { atMs: number; byMs: number }[]) => {
      const arrivals = inSlots({ blocks: 30, startSeconds });
      return (await poll(arrivals, { wallSteps })).requests.map(Math.round);
    };
    const expected = await requestsOf(5_000, []);
    expect(await requestsOf(4_000_000_000, [])).toEqual(expected);
    const wallSteps = [
      { atMs: 150_000, byMs: -3_600_000 },
      { atMs: 250_000, byMs: 86_400_000 },
    ];
    expect(await requestsOf(5_000, wallSteps)).toEqual(expected);
  });
});

describe("polling for a late block", () => {
  it("finds the block after a missed slot as quickly as others, and polls rarely in between", async () => {
    const arrivals = inSlots({ blocks: 60, jitter: 0.05, missed: [30, 40, 41, 50] });
    const { delays, requests } = await poll(arrivals);
    const known = delays.slice(20);
    expect(at(0.5, known)).toBeLessThan(150);
    expect(Math.max(...known)).toBeLessThan(500);
    const missedSlotMs = 30 * 12_000;
    expect(between(requests, missedSlotMs + 1_000, missedSlotMs + 11_000)).toBeLessThan(10);
  });

  it("keeps the rhythm when every fifth slot is missed", async () => {
    const missed = Array.from({ length: 60 }, (_, i) => 5 * i);
    const options = { blockTimeMs: 2_000 };
    const { delays } = await poll(inSlots({ blocks: 120, slotMs: 2_000, missed }), options);
    expect(at(0.5, delays.slice(20))).toBeLessThan(100);
    expect(at(0.95, delays.slice(20))).toBeLessThan(500);
  });

  it("finds a block that comes between two slots at the given interval at the latest", async () => {
    const arrivals = inSlots({ blocks: 50, jitter: 0.02 });
    const latesMs = [6_100, 7_500, 8_000, 8_500, 9_500];
    for (const [i, lateMs] of latesMs.entries()) (arrivals[22 + 4 * i] as Arrival).atMs += lateMs;
    const { delays } = await poll(arrivals);
    expect(Math.max(...delays.slice(20))).toBeLessThan(3_000 + RESPONSE_MS);
  });

  it("does not expect the next blocks to be as late", async () => {
    const arrivals = inSlots({ blocks: 45, jitter: 0.02 });
    const late = arrivals[30] as Arrival;
    late.atMs += 5_000;
    const { requests, delays } = await poll(arrivals);
    expect(between(requests, late.atMs + 1_000, late.atMs + 1_000 + 10 * 12_000) / 10).toBeLessThan(5);
    expect(Math.max(...delays.slice(32))).toBeLessThan(300);
  });

  it("requests the head once per block time where blocks come less often than the chain declares", async () => {
    const { requests, delays } = await poll(inSlots({ blocks: 30 }), { blockTimeMs: 2_000 });
    const gaps = requests.slice(1).map((atMs, i) => atMs - (requests[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2_000);
    expect(Math.max(...delays.slice(20))).toBeLessThan(500);
  });

  it("polls at the given interval when the chain has stopped", async () => {
    const arrivals = inSlots({ blocks: 20 });
    const lastMs = arrivals.at(-1)?.atMs ?? 0;
    const { requests } = await poll(arrivals, { untilMs: lastMs + 50 * 12_000 });
    const gaps = requests.slice(1).map((atMs, i) => atMs - (requests[i] ?? 0));
    expect(gaps.slice(-100).map(Math.round)).toEqual(Array.from({ length: 100 }, () => 3_000));
  });
});

describe("polling within the budget", () => {
  it("never sends more requests in any time than the budget allows", async () => {
    const missed = Array.from({ length: 60 }, (_, i) => 20 + 3 * i);
    for (const perBlock of [4, 8, 20]) {
      const arrivals = inSlots({ blocks: 100, jitter: 0.2, missed });
      const { requests } = await poll(arrivals, { headRequestsPerBlock: perBlock });
      for (const [i, fromMs] of requests.entries()) {
        for (const blockTimes of [1, 5, 20]) {
          const toMs = fromMs + blockTimes * 12_000;
          expect(between(requests.slice(i), fromMs, toMs)).toBeLessThanOrEqual(
            (blockTimes + 2) * perBlock + 1,
          );
        }
      }
    }
  });

  it("finds blocks sooner with a larger budget", async () => {
    const delaysWith = async (headRequestsPerBlock: number) =>
      at(0.5, (await poll(inSlots({ blocks: 80 }), { headRequestsPerBlock })).delays.slice(20));
    expect(await delaysWith(4)).toBeGreaterThan((await delaysWith(8)) * 1.5);
  });

  it("finds a block at the given interval at the latest when the budget is exhausted", async () => {
    const missed = Array.from({ length: 40 }, (_, i) => 20 + 2 * i);
    const arrivals = inSlots({ blocks: 60, jitter: 0.2, missed });
    const { delays } = await poll(arrivals, { headRequestsPerBlock: 4 });
    expect(Math.max(...delays.slice(20))).toBeLessThan(3_000 + RESPONSE_MS + COMMIT_MS);
  });
});

describe("polling for the head of a chain without a rhythm", () => {
  const evenly = (requests: number[]) =>
    new Set(requests.slice(1).map((atMs, i) => Math.round(atMs - (requests[i] ?? 0))));

  it("polls at the given interval where blocks come at any time", async () => {
    expect(evenly((await poll(atAnyTime(100, 12_000))).requests)).toEqual(new Set([3_000]));
  });

  it("polls at the given interval again when a regular chain makes blocks at any time", async () => {
    const regular = inSlots({ blocks: 30 });
    const last = regular.at(-1) as Arrival;
    const irregular = atAnyTime(60, 12_000).map(({ atMs, head }) => ({
      atMs: last.atMs + atMs,
      head: {
        number: head.number + 30,
        hash: hash(head.number + 30),
        timestamp: (last.head.timestamp ?? 0) + (head.timestamp ?? 0) - 5_000,
      },
    }));
    const { requests, delays } = await poll([...regular, ...irregular]);
    expect(Math.max(...delays.slice(20).filter(Number.isFinite))).toBeLessThan(12_000);
    expect(evenly(requests.slice(-60))).toEqual(new Set([3_000]));
  });

  it("polls at the given interval where several blocks have the same second", async () => {
    const options = { blockTimeMs: 250 };
    const { requests } = await poll(inSlots({ blocks: 200, slotMs: 250 }), options);
    expect(Math.max(...evenly(requests))).toBeLessThanOrEqual(RESPONSE_MS + COMMIT_MS);
    expect(requests.length / 200).toBeLessThanOrEqual(4.1);
  });

  it("polls at the given interval where headers have no times", async () => {
    const arrivals = inSlots({ blocks: 30 }).map(({ atMs, head }) => ({
      atMs,
      head: { ...head, timestamp: null },
    }));
    expect(evenly((await poll(arrivals)).requests)).toEqual(new Set([3_000]));
  });
});

describe("polling of endpoints that fail, lag or change forks", () => {
  it("finds blocks quickly again after responses that took long", async () => {
    const responseMs = (atMs: number) => (atMs > 300_000 && atMs < 360_000 ? 20_000 : RESPONSE_MS);
    const { delays } = await poll(inSlots({ blocks: 60, jitter: 0.02 }), { responseMs });
    expect(Math.max(...delays.slice(35).filter(Number.isFinite))).toBeLessThan(300);
  });

  it("keeps the rhythm when an endpoint reports an earlier block for a moment", async () => {
    const arrivals = inSlots({ blocks: 60, jitter: 0.02 });
    for (let i = 30; i < 45; i++) {
      const [before, block, next] = arrivals.slice(i - 1, i + 2) as [Arrival, Arrival, Arrival];
      const behind = { atMs: next.atMs - 4_000, head: before.head };
      const back = { atMs: next.atMs - 120, head: block.head };
      arrivals.push(behind, back);
    }
    arrivals.sort((a, b) => a.atMs - b.atMs);
    const { delays } = await poll(arrivals);
    expect(Math.max(...delays.slice(20))).toBeLessThan(300);
  });

  it("keeps the rhythm when most blocks are replaced by others of the same height", async () => {
    const arrivals = inSlots({ blocks: 60, jitter: 0.02 });
    for (const { atMs, head } of arrivals.slice(30, 45))
      arrivals.push({ atMs: atMs + 4_000, head: { ...head, hash: hash(head.number, 1) } });
    arrivals.sort((a, b) => a.atMs - b.atMs);
    const { delays } = await poll(arrivals);
    expect(Math.max(...delays.slice(20))).toBeLessThan(300);
  });

  it("keeps the rhythm after a reorg to a shorter chain", async () => {
    const arrivals = inSlots({ blocks: 60, jitter: 0.02 });
    const [, , oldest, older, newest] = arrivals.slice(28, 33) as [
      Arrival,
      Arrival,
      Arrival,
      Arrival,
      Arrival,
    ];
    const fork = [
      { atMs: newest.atMs + 100, head: { ...oldest.head, hash: hash(oldest.head.number, 1) } },
      { atMs: newest.atMs + 200, head: { ...older.head, hash: hash(older.head.number, 1) } },
    ];
    const rest = arrivals.slice(33).map(({ atMs, head }) => {
      const number = head.number - 1;
      return { atMs, head: { ...head, number, hash: hash(number, 1) } };
    });
    const { delays } = await poll([...arrivals.slice(0, 33), ...fork, ...rest]);
    expect(Math.max(...delays.slice(20, 33))).toBeLessThan(300);
    expect(Math.max(...delays.slice(34))).toBeLessThan(300);
  });

  it("learns the rhythm again when the chain starts again from a lower block", async () => {
    const arrivals = inSlots({ blocks: 80, jitter: 0.02 }).map(({ atMs, head }, i) => {
      const number = i < 40 ? 1_000 + i : i - 39;
      return { atMs, head: { ...head, number, hash: hash(number, i < 40 ? 0 : 1) } };
    });
    const { delays } = await poll(arrivals);
    expect(Math.max(...delays.slice(20, 41))).toBeLessThan(300);
    expect(Math.max(...delays.slice(1, 20))).toBeLessThan(3_100);
  });
});

describe("RpcSource.nextHead at an endpoint that announces nothing", () => {
  it("waits until a block is due by the times in the headers", async () => {
    const clock = new ManualClock();
    const slot = () => Math.floor(clock.monotonic() / 2_000);
    const { url } = await endpoint(({ method }: Call) => {
      if (method === "eth_chainId") return "0x1";
      const number = `0x${(100 + slot()).toString(16)}`;
      const timestamp = `0x${(5_000 + 2 * slot()).toString(16)}`;
      return { number, hash: `0x${number.slice(2).padStart(64, "0")}`, timestamp };
    });
    const { source } = await open([url], { clock, chain: { ...ETH, blockTimeMs: 2_000 } });
    const requests: number[] = [];
    while (slot() < 20) {
      requests.push(clock.monotonic());
      await settled(clock, source.head());
      await settled(clock, source.nextHead(500, new AbortController().signal));
    }
    const later = requests.filter((atMs) => atMs > 31_000);
    const gaps = later.slice(1).map((atMs, i) => atMs - (later[i] ?? 0));
    expect(Math.max(...gaps)).toBeGreaterThan(1_200);
    const slotsSeen = later.filter((atMs) => atMs % 2_000 < 150).map((atMs) => Math.floor(atMs / 2_000));
    expect(new Set(slotsSeen)).toEqual(new Set([16, 17, 18, 19]));
  });
});
