import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { RpcLimits, RpcSource } from "../rpc-source.ts";
import { pass, settled } from "../support/manual-time.ts";
import { type Call, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const MANY = 1_000_000_000;
let clock: ManualClock;

beforeEach(() => {
  clock = new ManualClock();
});

const nowSeconds = () => Math.floor(clock.now() / 1000);

/** Opens a source with these endpoints. The returned `head` and `finalized` advance the clock. */
async function sourceOf(nodes: { url: string }[], limits: Partial<RpcLimits> = {}) {
  const { source, warnings } = await open(
    nodes.map(({ url }) => url),
    { clock, limits },
  );
  const head: RpcSource["head"] = (known) => settled(clock, source.head(known));
  const finalized: RpcSource["finalized"] = () => settled(clock, source.finalized());
  const requireUndisputed = (block: BlockRef) => settled(clock, source.requireUndisputed(block));
  return { head, finalized, requireUndisputed, endpoints: () => source.endpoints(), warnings };
}

/** Returns block `number` of fork `fork`. Its hash shows both numbers. */
const ref = (number: number, fork = 0): BlockRef => ({
  number,
  hash: `0x${fork}${number.toString(16).padStart(63, "0")}`,
});

interface NodeOptions {
  fork?: number;
  /** Newest block that the node reports. */
  reports?: number;
  timestamp?: number;
  delayMs?: number;
  /** Final block that the node reports; absent if it reports none. */
  final?: number;
}

/** Starts an endpoint whose chain ends at `newest`. It may report another head. */
async function node(newest: number, options: NodeOptions = {}) {
  const state = { newest, reports: options.reports, fork: options.fork ?? 0 };
  const { url, requests } = await endpoint(async ({ method, params: [tag] }: Call) => {
    if (method === "eth_chainId") return "0x1";
    if (options.delayMs !== undefined) await clock.sleep(options.delayMs);
    const named: Record<string, number | undefined> = {
      latest: state.reports ?? state.newest,
      finalized: options.final ?? Number.POSITIVE_INFINITY,
    };
    const number = named[String(tag)] ?? Number(tag);
    if (number > state.newest && tag !== "latest") return null;
    const { hash } = ref(number, state.fork);
    const timestamp = `0x${(options.timestamp ?? nowSeconds()).toString(16)}`;
    const parentHash = ref(number - 1, state.fork).hash;
    return { number: `0x${number.toString(16)}`, hash, parentHash, timestamp };
  });
  return { url, requests, state };
}

const LONG_BACKOFF = { minBackoffMs: 60_000, maxBackoffMs: 60_000 };

describe("RpcSource.finalized, among endpoints that disagree", () => {
  it("is the lowest block that any of them reports, in any order of responses", async () => {
    for (const delays of [
      [0, 30],
      [30, 0],
    ]) {
      const [hasty, slow] = [
        await node(9, { final: 8, delayMs: delays[0] ?? 0 }),
        await node(9, { final: 3, delayMs: delays[1] ?? 0 }),
      ];
      const source = await sourceOf([hasty, slow]);
      expect(await source.finalized()).toEqual(ref(3));
    }
  });

  it("is not held back by an endpoint that is stuck, which is logged once, until it catches up", async () => {
    const [stuck, following] = [
      await node(9, { final: 3, timestamp: nowSeconds() - 3_600 }),
      await node(5_000, { final: 4_900 }),
    ];
    const source = await sourceOf([stuck, following]);
    for (let i = 0; i < 3; i++) {
      await source.head(ref(4_999));
      expect(await source.finalized()).toEqual(ref(4_900));
    }
    const warnings = source.warnings.filter((warning) => warning.includes("far below"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`${stuck.url}: its newest block, 9, is old and far below 5000.`);
    stuck.state.newest = 4_980;
    await source.head(ref(5_000));
    expect(await source.finalized()).toEqual(ref(3));
  });

  it("is that of a stuck endpoint if no other one reports any", async () => {
    const stuck = await node(9, { final: 3, timestamp: nowSeconds() - 3_600 });
    const source = await sourceOf([stuck, await node(5_000)]);
    await source.head(ref(4_999));
    expect(await source.finalized()).toEqual(ref(3));
  });

  it("cannot be raised by an endpoint that invents blocks far above the real head", async () => {
    const [honest, liar] = [await node(900, { final: 890 }), await node(5_000, { final: 4_990 })];
    const source = await sourceOf([liar, honest]);
    expect((await source.head(ref(900))).number).toBe(5_000);
    expect(await source.finalized()).toEqual(ref(890));
  });

  it("is the block of the endpoints that report one", async () => {
    const source = await sourceOf([await node(9), await node(9, { final: 4 })]);
    expect(await source.finalized()).toEqual(ref(4));
  });
});

describe("RpcSource, among endpoints that disagree about a final block", () => {
  const onFork = (fork: number, final = 5) => node(9, { fork, final });

  it("has no final block while one of two has another block in its place", async () => {
    for (const final of [5, 7]) {
      const [honest, liar] = [await onFork(0, 5), await onFork(1, final)];
      const source = await sourceOf([liar, honest], LONG_BACKOFF);
      const error = await failure(source.finalized());
      expect(error).toMatchObject({ code: "endpoint", retryable: true });
      expect(error.message).toContain("The endpoints disagree about block 5, although it is final");
      expect(error.message).toMatch(/127\.0\.0\.1:\d+ has 0x[01]0+5/);
      liar.state.fork = 0;
      expect(await source.finalized()).toEqual(ref(5));
    }
  });

  it("accepts no block below it that one of two disputes", async () => {
    const [honest, liar] = [await onFork(0), await onFork(1)];
    const source = await sourceOf([liar, honest]);
    for (const fork of [0, 1])
      expect((await failure(source.requireUndisputed(ref(3, fork)))).message).toContain("about block 3");
    expect(source.endpoints()).toMatchObject([{ lies: 0 }, { lies: 0 }]);
  });

  it("accepts the block that most of them have, and reports the others", async () => {
    const nodes = [await onFork(1), await onFork(0), await onFork(0)];
    const source = await sourceOf(nodes, LONG_BACKOFF);
    await source.requireUndisputed(ref(3));
    expect(source.endpoints()).toMatchObject([{ lies: 1 }, { lies: 0 }, { lies: 0 }]);
    expect(await source.finalized()).toEqual(ref(5));
    const again = await sourceOf(nodes, LONG_BACKOFF);
    await failure(again.requireUndisputed(ref(3, 1)));
    expect(again.endpoints()).toMatchObject([{ lies: 1 }, { lies: 0 }, { lies: 0 }]);
  });

  it("ignores one that is stuck or lacks the block, and trusts one that is alone", async () => {
    const stuck = await node(9, { fork: 1, timestamp: nowSeconds() - 3_600 });
    const source = await sourceOf([stuck, await node(5_000, { final: 4_900 }), await node(2)]);
    await source.head(ref(4_999));
    await source.requireUndisputed(ref(5));
    await (await sourceOf([await onFork(1)])).requireUndisputed(ref(5));
  });

  it("requests each final block only once more from each of them", async () => {
    const nodes = [await onFork(0), await onFork(0)];
    const source = await sourceOf(nodes);
    for (let i = 0; i < 3; i++) await source.finalized();
    // The chain id, the final block three times, and its header.
    expect(nodes.map(({ requests }) => requests())).toEqual([5, 5]);
  });
});

describe("RpcSource.head, among endpoints that disagree", () => {
  it("keeps the indexed tip against a sibling of the same height, in any order of responses", async () => {
    for (const delays of [
      [0, 30],
      [30, 0],
    ]) {
      const [ours, other] = [
        await node(9, { delayMs: delays[0] ?? 0 }),
        await node(9, { fork: 1, delayMs: delays[1] ?? 0 }),
      ];
      const source = await sourceOf([other, ours]);
      for (let i = 0; i < 3; i++) expect(await source.head(ref(9))).toEqual(ref(9));
      for (let i = 0; i < 3; i++) expect(await source.head(ref(9, 1))).toEqual(ref(9, 1));
    }
  });

  it("keeps the branch of the indexed tip among children of the same height", async () => {
    const [ours, other] = [await node(10), await node(10, { fork: 1 })];
    const source = await sourceOf([other, ours]);
    for (let i = 0; i < 3; i++) expect(await source.head(ref(9))).toEqual(ref(10));
    for (let i = 0; i < 3; i++) expect(await source.head(ref(9, 1))).toEqual(ref(10, 1));
  });

  it("follows the longest branch, and a chain that gets shorter", async () => {
    const [ours, other] = [await node(9), await node(11, { fork: 1 })];
    const source = await sourceOf([ours, other]);
    expect(await source.head(ref(9))).toEqual(ref(11, 1));
    other.state.newest = 5;
    ours.state.newest = 6;
    expect(await source.head(ref(11, 1))).toEqual(ref(6));
  });

  it("follows an endpoint that jumps ahead and has its reported head, while another is stuck", async () => {
    const [stuck, ahead] = [await node(9), await node(5_000)];
    const source = await sourceOf([stuck, ahead]);
    expect((await source.head(ref(9))).number).toBe(5_000);
    expect(source.endpoints()).toMatchObject([
      { lies: 0, missing: 0 },
      { lies: 0, missing: 0 },
    ]);
  });

  it("ignores a head that does not exist, names its endpoint, and prefers others", async () => {
    const [honest, liar] = [await node(9), await node(9, { reports: MANY })];
    const source = await sourceOf([liar, honest], LONG_BACKOFF);
    expect(await source.head(ref(8))).toEqual(ref(9));
    expect(source.warnings.join("\n")).toContain(
      `${liar.url}: block ${MANY} failed verification: reported as the newest block`,
    );
    const before = liar.requests();
    for (let i = 0; i < 5; i++) expect(await source.head(ref(9))).toEqual(ref(9));
    expect(liar.requests()).toBe(before);
    expect(source.endpoints()[0]).toMatchObject({ lies: 1, avoidedUntil: expect.any(Number) });
  });

  it("ignores it also from the only endpoint, and follows the blocks that it has", async () => {
    const liar = await node(900, { reports: MANY });
    const source = await sourceOf([liar]);
    expect(await source.head()).toEqual(ref(900));
    liar.state.newest = 903;
    expect(await source.head(ref(900))).toEqual(ref(903));
    const before = liar.requests();
    expect(await source.head(ref(903))).toEqual(ref(903));
    expect(liar.requests() - before).toBeLessThan(80);
  });

  it("counts a small lead that does not exist as missing, because a replica may lag", async () => {
    const [honest, lagging] = [await node(9), await node(9, { reports: 12 })];
    const source = await sourceOf([lagging, honest], LONG_BACKOFF);
    expect(await source.head(ref(9))).toEqual(ref(9));
    expect(source.endpoints()[0]).toMatchObject({ lies: 0, missing: 1 });
  });

  it("ignores a head dated in the future, unless all are", async () => {
    const future = nowSeconds() + 86_400;
    const [honest, liar] = [await node(9), await node(10, { timestamp: future })];
    const source = await sourceOf([liar, honest], LONG_BACKOFF);
    expect(await source.head(ref(9))).toEqual(ref(9));
    expect(source.warnings.join("\n")).toContain(
      `${liar.url}: block 10 failed verification: reported as the newest block, but its timestamp`,
    );
    const onlyFuture = await sourceOf([await node(10, { timestamp: future })]);
    expect(await onlyFuture.head(ref(9))).toEqual(ref(10));
  });

  it("backs off from a recent liar longer each time, although it behaves in between", async () => {
    const [honest, liar] = [await node(9), await node(9, { reports: MANY })];
    const source = await sourceOf([liar, honest], { minBackoffMs: 20, maxBackoffMs: 10_000 });
    for (const startedAt = clock.now(); clock.now() - startedAt < 1_000; await pass(clock, 5)) {
      expect(await source.head(ref(9))).toEqual(ref(9));
    }
    // Backoffs of 20 + 40 + ... ms: six in a second. Without doubling, there would be fifty.
    expect(source.endpoints()[0]?.lies).toBeLessThan(9);
    expect(source.endpoints()[0]?.lies).toBeGreaterThan(3);
  });
});
