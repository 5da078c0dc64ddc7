import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { BlockRef } from "../../schema/block.ts";
import { type Call, endpoint, open } from "../support/rpc-endpoints.ts";

const MANY = 1_000_000_000;
const NOW = () => Math.floor(Date.now() / 1000);

/** Block `number` of fork `fork`: their hashes read by eye. */
const ref = (number: number, fork = 0): BlockRef => ({
  number,
  hash: `0x${fork}${number.toString(16).padStart(63, "0")}`,
});

interface NodeOptions {
  fork?: number;
  /** What it says its newest block is. */
  says?: number;
  timestamp?: number;
  delayMs?: number;
  /** What it says is final; absent: it knows no finality. */
  final?: number;
}

/** An endpoint whose chain goes up to `newest`, and that may say otherwise. */
async function node(newest: number, options: NodeOptions = {}) {
  const state = { newest, says: options.says, fork: options.fork ?? 0 };
  const { url, requests } = await endpoint(async ({ method, params: [tag] }: Call) => {
    if (method === "eth_chainId") return "0x1";
    if (options.delayMs !== undefined) await sleep(options.delayMs);
    const named: Record<string, number | undefined> = {
      latest: state.says ?? state.newest,
      finalized: options.final ?? Number.POSITIVE_INFINITY,
    };
    const number = named[String(tag)] ?? Number(tag);
    if (number > state.newest && tag !== "latest") return null;
    const { hash } = ref(number, state.fork);
    const timestamp = `0x${(options.timestamp ?? NOW()).toString(16)}`;
    const parentHash = ref(number - 1, state.fork).hash;
    return { number: `0x${number.toString(16)}`, hash, parentHash, timestamp };
  });
  return { url, requests, state };
}

const AVOID = { minAvoidMs: 60_000, maxAvoidMs: 60_000 };

describe("RpcSource.finalized, among endpoints that disagree", () => {
  it("is the lowest block that any of them names, whoever answers first", async () => {
    for (const delays of [
      [0, 30],
      [30, 0],
    ]) {
      const [hasty, slow] = [
        await node(9, { final: 8, delayMs: delays[0] ?? 0 }),
        await node(9, { final: 3, delayMs: delays[1] ?? 0 }),
      ];
      const { source } = await open([hasty.url, slow.url]);
      expect(await source.finalized()).toEqual(ref(3));
    }
  });

  it("is that of those who know finality", async () => {
    const { source } = await open([(await node(9)).url, (await node(9, { final: 4 })).url]);
    expect(await source.finalized()).toEqual(ref(4));
  });
});

describe("RpcSource.head, among endpoints that disagree", () => {
  it("keeps the indexed tip against a sibling of the same height, whoever answers first", async () => {
    for (const delays of [
      [0, 30],
      [30, 0],
    ]) {
      const [ours, other] = [
        await node(9, { delayMs: delays[0] ?? 0 }),
        await node(9, { fork: 1, delayMs: delays[1] ?? 0 }),
      ];
      const { source } = await open([other.url, ours.url]);
      for (let i = 0; i < 3; i++) expect(await source.head(ref(9))).toEqual(ref(9));
      for (let i = 0; i < 3; i++) expect(await source.head(ref(9, 1))).toEqual(ref(9, 1));
    }
  });

  it("keeps the branch of the indexed tip among children of the same height", async () => {
    const [ours, other] = [await node(10), await node(10, { fork: 1 })];
    const { source } = await open([other.url, ours.url]);
    for (let i = 0; i < 3; i++) expect(await source.head(ref(9))).toEqual(ref(10));
    for (let i = 0; i < 3; i++) expect(await source.head(ref(9, 1))).toEqual(ref(10, 1));
  });

  it("follows the longest branch, and a chain that goes back", async () => {
    const [ours, other] = [await node(9), await node(11, { fork: 1 })];
    const { source } = await open([ours.url, other.url]);
    expect(await source.head(ref(9))).toEqual(ref(11, 1));
    other.state.newest = 5;
    ours.state.newest = 6;
    expect(await source.head(ref(11, 1))).toEqual(ref(6));
  });

  it("follows one that jumps ahead and has what it shows, while another is stuck", async () => {
    const [stuck, ahead] = [await node(9), await node(5_000)];
    const { source } = await open([stuck.url, ahead.url]);
    expect((await source.head(ref(9))).number).toBe(5_000);
    expect(source.endpoints()).toMatchObject([
      { lies: 0, missing: 0 },
      { lies: 0, missing: 0 },
    ]);
  });

  it("does not believe a head that is not there, names the liar, and leaves it alone", async () => {
    const [honest, liar] = [await node(9), await node(9, { says: MANY })];
    const { source, said } = await open([liar.url, honest.url], { limits: AVOID });
    expect(await source.head(ref(8))).toEqual(ref(9));
    expect(said.join("\n")).toContain(
      `${liar.url}: block ${MANY} is not as it should be: it is shown as the newest`,
    );
    const asked = liar.requests();
    for (let i = 0; i < 5; i++) expect(await source.head(ref(9))).toEqual(ref(9));
    expect(liar.requests()).toBe(asked);
    expect(source.endpoints()[0]).toMatchObject({ lies: 1, avoidedUntil: expect.any(Number) });
  });

  it("does not believe it of the only endpoint either, and follows what that has", async () => {
    const liar = await node(900, { says: MANY });
    const { source } = await open([liar.url]);
    expect(await source.head()).toEqual(ref(900));
    liar.state.newest = 903;
    expect(await source.head(ref(900))).toEqual(ref(903));
    const asked = liar.requests();
    expect(await source.head(ref(903))).toEqual(ref(903));
    expect(liar.requests() - asked).toBeLessThan(80);
  });

  it("counts a small lead that is not there as missing, for a replica may lag", async () => {
    const [honest, lagging] = [await node(9), await node(9, { says: 12 })];
    const { source } = await open([lagging.url, honest.url], { limits: AVOID });
    expect(await source.head(ref(9))).toEqual(ref(9));
    expect(source.endpoints()[0]).toMatchObject({ lies: 0, missing: 1 });
  });

  it("does not believe a head of a time to come, unless all are", async () => {
    const future = NOW() + 86_400;
    const [honest, liar] = [await node(9), await node(10, { timestamp: future })];
    const { source, said } = await open([liar.url, honest.url], { limits: AVOID });
    expect(await source.head(ref(9))).toEqual(ref(9));
    expect(said.join("\n")).toContain(
      `${liar.url}: block 10 is not as it should be: as a head it is of a time to come`,
    );
    const travelling = await open([(await node(10, { timestamp: future })).url]);
    expect(await travelling.source.head(ref(9))).toEqual(ref(10));
  });

  it("stays with the honest one for as long as it lied of late, though it does well in between", async () => {
    const [honest, liar] = [await node(9), await node(9, { says: MANY })];
    const { source } = await open([liar.url, honest.url], { limits: { minAvoidMs: 20, maxAvoidMs: 10_000 } });
    for (const startedAt = Date.now(); Date.now() - startedAt < 1_000; await sleep(5)) {
      expect(await source.head(ref(9))).toEqual(ref(9));
    }
    // 20 + 40 + ... ms: six in a second, where it would be fifty without doubling.
    expect(source.endpoints()[0]?.lies).toBeLessThan(9);
    expect(source.endpoints()[0]?.lies).toBeGreaterThan(3);
  });
});
