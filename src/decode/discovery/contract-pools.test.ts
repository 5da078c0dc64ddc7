import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutInitCode } from "../../../test/support/nodes/without-init-code.ts";
import { base } from "../../chains/base.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { polygon } from "../../chains/polygon.ts";
import type { Hex } from "../../lib/hex.ts";
import { confirmPools, judgePools, poolCalls } from "./contract-pools.ts";
import type { Candidate } from "./unknown-pools.ts";

const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const V2_FACTORY: Hex = "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f";
const V3_FACTORY: Hex = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
const V2_POOL: Hex = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";
const V3_POOL: Hex = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";

const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;
const v2 = (address: Hex): Candidate => ({ address, family: "uniswap-v2" });
const v3 = (address: Hex): Candidate => ({ address, family: "uniswap-v3" });

describe("judgePools", () => {
  const judged = (candidate: Candidate, results: (Hex | null)[], chain = ethereum) =>
    judgePools([candidate], results, chain);

  it("accepts an address that follows from the tokens by CREATE2, whatever factory() returns", () => {
    for (const factory of [word(V2_FACTORY), word(FAKE), null]) {
      const { pools, followUps } = judged(v2(V2_POOL), [word(USDC), word(WETH), factory]);
      expect(followUps).toEqual([]);
      expect(pools.get(V2_POOL)).toEqual({
        address: V2_POOL,
        family: "uniswap-v2",
        protocol: "uniswap_v2",
        factory: V2_FACTORY,
        token0: USDC,
        token1: WETH,
        tokens: [USDC, WETH],
        underlying: [],
        fee: 3000,
        hooks: null,
        hookFlags: null,
        createdBlock: null,
        createdTimestamp: null,
      });
    }
  });

  it("accepts a V3 pool with the fee that it returns", () => {
    const results = [word(USDC), word(WETH), word(V3_FACTORY), word("1f4")];
    expect(judged(v3(V3_POOL), results).pools.get(V3_POOL)).toMatchObject({
      protocol: "uniswap_v3",
      fee: 500,
      hooks: null,
      hookFlags: null,
    });
  });

  it("finds the fee of a V3 pool that returns none, from its address", () => {
    for (const fee of [null, word("f4240")]) {
      const { pools } = judged(v3(V3_POOL), [word(USDC), word(WETH), null, fee]);
      expect(pools.get(V3_POOL)).toMatchObject({ protocol: "uniswap_v3", fee: 500 });
    }
  });

  it("accepts pools without a fee whose address follows from their tick spacing or from their tokens alone", () => {
    const slipstream: Hex = "0xb2cc224c1c9fee385f8ad6a55b4d94e92359dc59";
    const onBase = [word("0x4200000000000000000000000000000000000006"), word(base.stableCoins[0] ?? "")];
    expect(judged(v3(slipstream), [...onBase, null, word("190")], base).pools.get(slipstream)).toMatchObject({
      protocol: "aerodrome_slipstream",
      fee: null,
      hooks: null,
      hookFlags: null,
    });
    const algebra: Hex = "0xae81fac689a1b4b1e06e7ef4a2ab4cd8ac0a087d";
    const onPolygon = [word(polygon.wrappedNative), word(polygon.stableCoins[1] ?? "")];
    expect(judged(v3(algebra), [...onPolygon, null, null], polygon).pools.get(algebra)).toMatchObject({
      protocol: "quickswap_v3",
      fee: null,
      hooks: null,
      hookFlags: null,
    });
  });

  it("calls the factory that a contract names if its init-code hash is unknown", () => {
    const results = [word(USDC), word(WETH), word(V3_FACTORY), word("bb8")];
    const { pools, followUps } = judged(v3(FAKE), results, withoutInitCode);
    expect(pools.size).toBe(0);
    expect(followUps.map(({ call }) => call)).toEqual([
      {
        to: V3_FACTORY,
        data: `0x1698ee82${word(USDC).slice(2)}${word(WETH).slice(2)}${word("bb8").slice(2)}`,
      },
    ]);
    expect(confirmPools(followUps, [word(V3_POOL)])).toEqual(new Map([[FAKE, null]]));
    expect(confirmPools(followUps, [word(FAKE)]).get(FAKE)).toMatchObject({
      protocol: "uniswap_v3",
      fee: 3000,
      hooks: null,
      hookFlags: null,
    });
    for (const result of [null, "0x", word("00"), word(`1${FAKE.slice(2)}`)] as (Hex | null)[]) {
      expect(confirmPools(followUps, [result]).get(FAKE)).toBeNull();
    }
    expect(confirmPools(followUps, []).get(FAKE)).toBeNull();
  });

  it.each<[string, Candidate, (Hex | null)[]]>([
    ["of an unlisted factory", v2(FAKE), [word(USDC), word(WETH), word(FAKE)]],
    ["of a factory of another family", v2(FAKE), [word(USDC), word(WETH), word(V3_FACTORY)]],
    ["whose address does not follow", v3(FAKE), [word(USDC), word(WETH), word(V3_FACTORY), word("bb8")]],
    ["with a wrong fee", v3(V3_POOL), [word(USDC), word(WETH), word(V3_FACTORY), word("bb8")]],
  ])("rejects a contract %s", (_, candidate, results) => {
    expect(judged(candidate, results)).toEqual({
      pools: new Map([[candidate.address, null]]),
      followUps: [],
    });
  });

  it.each<[string, Candidate, (Hex | null)[]]>([
    ["that reverts", v2(FAKE), [null, null, null]],
    ["without results", v2(FAKE), []],
    ["with a dirty token", v2(V2_POOL), [word(`1${USDC.slice(2)}`), word(WETH), word(V2_FACTORY)]],
    ["with half a word", v2(V2_POOL), ["0xa0b8", word(WETH), word(V2_FACTORY)]],
    ["with a fee of 256 bits", v3(FAKE), [word(USDC), word(WETH), word(V3_FACTORY), `0x${"ff".repeat(32)}`]],
    ["with a fee of 100 %", v3(FAKE), [word(USDC), word(WETH), word(V3_FACTORY), word("f4240")]],
    ["without a fee", v3(FAKE), [word(USDC), word(WETH), word(V3_FACTORY), null]],
  ])("leaves a contract %s unjudged, for transfers to prove", (_, candidate, results) => {
    expect(judged(candidate, results)).toEqual({ pools: new Map(), followUps: [] });
  });

  it("keeps a pool that is also a candidate of another family", () => {
    const candidates = [v3(V2_POOL), v2(V2_POOL), v3(V2_POOL)];
    const none = [null, null, null, null];
    const results = [...none, word(USDC), word(WETH), null, ...none];
    expect(judgePools(candidates, results, ethereum).pools.get(V2_POOL)).toMatchObject({
      family: "uniswap-v2",
    });
  });

  it("never throws, whatever contracts return", () => {
    const bytes = fc.uint8Array({ maxLength: 100 }).map((b): Hex => `0x${Buffer.from(b).toString("hex")}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(null), bytes, fc.constant(word(V2_FACTORY))), { maxLength: 9 }),
        (results) => {
          const { pools, followUps } = judgePools([v2(FAKE), v3(V3_POOL)], results, withoutInitCode);
          confirmPools(followUps, results);
          expect(pools.get(FAKE) ?? null).toBeNull();
        },
      ),
    );
  });
});

describe("poolCalls", () => {
  it("includes the fee of a V3 pool", () => {
    expect(poolCalls([v2(V2_POOL), v3(V3_POOL)], ethereum).map(({ to, data }) => [to, data])).toEqual([
      [V2_POOL, "0x0dfe1681"],
      [V2_POOL, "0xd21220a7"],
      [V2_POOL, "0xc45a0155"],
      [V3_POOL, "0x0dfe1681"],
      [V3_POOL, "0xd21220a7"],
      [V3_POOL, "0xc45a0155"],
      [V3_POOL, "0xddca3f43"],
    ]);
  });
});
