import { encodeAbiParameters, parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import type { Chain, Deployment } from "../../../chains/chain.ts";
import { polygon } from "../../../chains/polygon.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { eventsOf, logOf } from "../../support/published-logs.ts";

const CREATED = parseAbiItem(
  "event DeployPool(address indexed factory, address indexed pool, bytes deployData)",
);
const TOPIC: Hex = "0xcd3829a3813dc3cdd188fd3d01dcf3268c16be2fdd2dd21d0665418816e46062";
/** The stable pool of USDC and USDT on Optimism. */
const POOL: Hex = "0xb059cf6320b29780c39817c42af1a032bf821d90";
const USDC: Hex = "0x7f5c764cbc14f9669b88837ca1490cca17c31607";
const USDT: Hex = "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const [MASTER, SECOND] = polygon.deployments.filter(({ family }) => family === "trident") as [
  Deployment,
  Deployment,
];
const POLYGON_FACTORY: Hex = "0x05689fcfee31fce4a67fbc7cab13e74f80a4e288";
const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;

/** Polygon with the pool in its list. */
const listing: Chain = { ...polygon, deployments: [{ ...MASTER, pools: [POOL] }] };

const logs = recordedBlocks(bundlePath("optimism")).flatMap(({ transactions }) =>
  transactions.flatMap((one) => (one.logs.some(({ topics }) => topics[0] === TOPIC) ? one.logs : [])),
);
const swapsIn = (given: readonly Log[], chain: Chain) =>
  eventsOf(given, chain).filter((event) => event.kind === "swap" && event.pool.family === "trident");

describe("Trident on a real swap", () => {
  it("reads the tokens and amounts of the event, of which the BentoBox paid one base unit less", () => {
    expect(swapsIn(logs, listing)).toMatchObject([
      {
        pool: { address: POOL, protocol: "sushiswap_trident", token0: USDC, token1: USDT, fee: null },
        token0: USDT,
        token1: USDC,
        amount0: 0x1f636f2cn,
        amount1: -0x1f6165bbn,
      },
    ]);
    const moved = logs.map(({ address, data }) => [address, data.length === 66 ? BigInt(data) : null]);
    expect(moved).toContainEqual([USDT, 0x1f636f2cn]);
    expect(moved).toContainEqual([USDC, 0x1f6165ban]);
  });

  it("makes no swap of a contract that no MasterDeployer created", () => {
    expect(swapsIn(logs, polygon)).toEqual([]);
    const copied = logs.map((log) => (log.topics[0] === TOPIC ? { ...log, address: FAKE } : log));
    expect(swapsIn(copied, listing)).toEqual([]);
  });
});

describe("a pool of Trident", () => {
  it("is confirmed by one of the MasterDeployers", () => {
    const candidate = { address: POOL, family: "trident" } as const;
    const judged = (...confirmed: (Hex | null)[]) =>
      judgePools([candidate], [word(USDC), word(USDT), ...confirmed], polygon).pools.get(POOL);
    const callees = poolCalls([candidate], polygon).map(({ to }) => to);
    expect(callees).toEqual([POOL, POOL, MASTER.factory, SECOND.factory]);
    const pool = { token0: USDC, token1: USDT };
    expect(judged(word("1"), word("0"))).toMatchObject({ ...pool, factory: MASTER.factory });
    expect(judged(word("0"), word("1"))).toMatchObject({ ...pool, factory: SECOND.factory });
    expect(judged(word("0"), word("0"))).toBeNull();
    expect(judged(null, null)).toBeNull();
  });

  it.each([
    ["of a constant product", [USDC, USDT, 30n, true]],
    ["of stablecoins", [USDC, USDT, 1n]],
    ["of tokens in another order", [USDT, USDC, 1n]],
  ])("%s is announced by the MasterDeployer alone", (_, values) => {
    const types = [{ type: "address" }, { type: "address" }, { type: "uint256" }, { type: "bool" }];
    const data = encodeAbiParameters(types.slice(0, values.length), values);
    const created = (emitter: Hex) =>
      createdPool(
        logOf(emitter, CREATED, [POLYGON_FACTORY, POOL, data]),
        polygon,
        { number: 9, timestamp: 90 },
        [],
      );
    expect(created(MASTER.factory)).toMatchObject({ address: POOL, tokens: [USDC, USDT], createdBlock: 9 });
    expect(created(FAKE)).toBeNull();
  });
});
