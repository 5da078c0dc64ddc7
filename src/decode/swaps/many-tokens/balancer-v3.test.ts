import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log } from "../../../schema/block.ts";
import { scanBlock } from "../../blocks/scan-block.ts";
import { bufferCalls, readBufferAssets } from "../../discovery/buffer-assets.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { type BufferAssets, bufferOf } from "../../families/buffers.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { eventsOf } from "../../support/published-logs.ts";
import { recordedSwaps } from "../../support/recorded-swaps.ts";

const ABI = parseAbi([
  "event Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)",
  "event Wrap(address indexed wrappedToken, uint256 depositedUnderlying, uint256 mintedShares, bytes32 bufferBalances)",
  "event Unwrap(address indexed wrappedToken, uint256 burnedShares, uint256 withdrawnUnderlying, bytes32 bufferBalances)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event PoolCreated(address indexed pool)",
  "event PoolRegistered(address indexed pool, address indexed factory, (address token, uint8 tokenType, address rateProvider, bool paysYieldFees)[] tokenConfig, uint256 swapFeePercentage, uint32 pauseWindowEndTime, (address pauseManager, address swapFeeManager, address poolCreator) roleAccounts, (bool a, bool b, bool c, bool d, bool e, bool f, bool g, bool h, bool i, bool j, address hooksContract) hooksConfig, (bool a, bool b, bool c, bool d) liquidityManagement)",
]);
const VAULT: Hex = "0xba1333333333a1ba1108e8412f11850a5c319ba9";
const FACTORY: Hex = "0xb9d01ca61b9c181da1051bfdd28e1097e920ab14";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const POOL: Hex = "0x85b2b559bc2d21104c4defdd6efca8a20343361d";
const TRADER: Hex = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const GHO: Hex = "0x40d16fc0246ad3160ccc09b8d0d3a2cd28ae6c2f";
const WRAPPED_USDC: Hex = "0xd4fa2d31b7968e448877f69a96de69f5de8cd23e";
const WRAPPED_GHO: Hex = "0xc71ea051a5f82c67adcf634c36ffe6334793d24c";
const HOOK: Hex = `0x${"b".repeat(40)}`;
const ZERO: Hex = `0x${"0".repeat(40)}`;
const SHARES_IN = 13_296_744_298n;
const USDC_IN = 15_000_827_387n;
const SHARES_OUT = 14_915_150_735_998_486_407_205n;
const GHO_OUT = 15_006_148_102_656_551_263_137n;

const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;
const amounts = (...values: bigint[]): Hex =>
  `0x${values.map((value) => word(value.toString(16)).slice(2)).join("")}`;
const topicsOf = (name: "Swap" | "Wrap" | "Unwrap" | "Transfer", ...args: Hex[]) =>
  [encodeEventTopics({ abi: ABI, eventName: name })[0], ...args.map(word)] as Hex[];

/** The logs of Ethereum transaction 0x62340632… that belong to the swap, without Aave's logs. */
const SWAP: Log = {
  address: VAULT,
  topics: topicsOf("Swap", POOL, WRAPPED_USDC, WRAPPED_GHO),
  data: amounts(SHARES_IN, SHARES_OUT, 50_000_000_000_000n, 664_837n),
  logIndex: 213,
};
const WRAP: Log = {
  address: VAULT,
  topics: topicsOf("Wrap", WRAPPED_USDC),
  data: amounts(USDC_IN, SHARES_IN, 0n),
  logIndex: 212,
};
const UNWRAP: Log = {
  address: VAULT,
  topics: topicsOf("Unwrap", WRAPPED_GHO),
  data: amounts(SHARES_OUT, GHO_OUT, 0n),
  logIndex: 214,
};
const PAID: Log = {
  address: USDC,
  topics: topicsOf("Transfer", TRADER, VAULT),
  data: amounts(USDC_IN),
  logIndex: 201,
};
const RECEIVED: Log = {
  address: GHO,
  topics: topicsOf("Transfer", VAULT, TRADER),
  data: amounts(GHO_OUT),
  logIndex: 215,
};

const [block] = recordedBlocks(MAINNET) as [Block];
/** The underlying tokens of the buffers, as the Vault returns them. */
const BUFFERS = new Map<Hex, Hex>([
  [bufferOf(VAULT, WRAPPED_USDC), USDC],
  [bufferOf(VAULT, WRAPPED_GHO), GHO],
]);
const blockWith = (logs: Log[]): Block => ({
  ...block,
  transactions: block.transactions.slice(0, 1).map((one) => ({ ...one, logs })),
});
const swapsIn = (logs: Log[], buffers: BufferAssets = BUFFERS) =>
  recordedSwaps([blockWith(logs)], "balancer-v3", new Map(), buffers).map(({ swap }) => swap);

describe("Balancer V3", () => {
  const own = { token0: WRAPPED_USDC, token1: WRAPPED_GHO, amount0: SHARES_IN, amount1: -SHARES_OUT };
  const underlying = { token0: USDC, token1: GHO, amount0: USDC_IN, amount1: -GHO_OUT };

  it("reports a swap through buffers in the underlying tokens that the Vault names", () => {
    const pool = { address: POOL, protocol: "balancer_v3", factory: FACTORY };
    expect(swapsIn([PAID, WRAP, SWAP, UNWRAP, RECEIVED])).toMatchObject([{ ...underlying, pool }]);
    // A longer route moves only the tokens at its ends.
    expect(swapsIn([WRAP, SWAP, UNWRAP])).toMatchObject([{ ...underlying, pool }]);
  });

  it("reports a swap of the pool's own tokens, and each side on its own", () => {
    expect(swapsIn([SWAP])).toMatchObject([own]);
    expect(swapsIn([PAID, WRAP, SWAP])).toMatchObject([
      { ...underlying, token1: WRAPPED_GHO, amount1: -SHARES_OUT },
    ]);
  });

  it("takes no token from a Transfer, which any contract can emit", () => {
    const forged = { ...PAID, address: FAKE };
    expect(swapsIn([forged, WRAP, SWAP, UNWRAP])).toMatchObject([underlying]);
    expect(swapsIn([forged, WRAP, SWAP, UNWRAP], new Map())).toMatchObject([own]);
    expect(swapsIn([PAID, WRAP, SWAP, UNWRAP, RECEIVED], new Map())).toMatchObject([own]);
  });

  it("keeps the pool's own tokens where a buffer's are not clear", () => {
    expect(swapsIn([WRAP, WRAP, SWAP])).toMatchObject([own]);
    expect(swapsIn([{ ...WRAP, address: FAKE }, SWAP])).toMatchObject([own]);
    expect(swapsIn([{ ...WRAP, data: amounts(USDC_IN, SHARES_IN + 1n, 0n) }, SWAP])).toMatchObject([own]);
    expect(swapsIn([{ ...WRAP, data: "0x" }, SWAP])).toMatchObject([own]);
    expect(swapsIn([WRAP, SWAP], new Map([[bufferOf(VAULT, WRAPPED_USDC), null]]))).toMatchObject([own]);
  });

  it("keeps the pool's own tokens if both have the same underlying token", () => {
    const same = new Map([...BUFFERS.keys()].map((buffer) => [buffer, USDC]));
    expect(swapsIn([WRAP, SWAP, UNWRAP], same)).toMatchObject([own]);
  });

  describe("a buffer's underlying token", () => {
    const scanned = (...logs: Log[]) => [scanBlock(blockWith(logs), ethereum)];
    const callsIn = (...logs: Log[]) => bufferCalls(scanned(...logs), new Map(), ethereum);

    it("is read from the Vault, once, in the state of the first block that uses it", () => {
      const call = (wrapped: Hex) => ({ to: VAULT, data: `0x4afbaf5a${word(wrapped).slice(2)}` });
      expect([...callsIn(WRAP, WRAP, SWAP, UNWRAP)]).toMatchObject([
        [bufferOf(VAULT, WRAPPED_USDC), { ...call(WRAPPED_USDC), block: { number: block.number } }],
        [bufferOf(VAULT, WRAPPED_GHO), { ...call(WRAPPED_GHO), block: { number: block.number } }],
      ]);
      expect(bufferCalls(scanned(WRAP, SWAP), BUFFERS, ethereum)).toEqual(new Map());
    });

    it("is not read for the events of other contracts, or without a swap", () => {
      expect(callsIn({ ...WRAP, address: FAKE }, SWAP)).toEqual(new Map());
      expect(callsIn(WRAP, UNWRAP)).toEqual(new Map());
      expect(callsIn({ ...WRAP, data: "0x" }, SWAP)).toEqual(new Map());
    });

    it("is unknown if the Vault returns none", () => {
      const calls = callsIn(WRAP, SWAP, UNWRAP);
      expect([...readBufferAssets(calls, [word(USDC), word("0")]).values()]).toEqual([USDC, null]);
      expect([...readBufferAssets(calls, [null, "0x"]).values()]).toEqual([null, null]);
    });
  });

  it("makes no swap of another emitter's event or of a pool that no listed factory created", () => {
    expect(swapsIn([{ ...SWAP, address: FAKE }])).toEqual([]);
    expect(swapsIn([{ ...SWAP, topics: topicsOf("Swap", FAKE, USDC, GHO) }])).toEqual([]);
  });

  it("accepts pools that a listed factory confirms, and no others", () => {
    const candidate = { address: FAKE, family: "balancer-v3" } as const;
    const calls = poolCalls([candidate], ethereum);
    expect(calls.slice(0, 2)).toEqual(
      ["0xca4f2803", "0xce8630d4"].map((view) => ({ to: VAULT, data: `${view}${word(FAKE).slice(2)}` })),
    );
    const tokens = encodeAbiParameters([{ type: "address[]" }], [[USDC, GHO]]);
    const judged = (answer: Hex | null, hooks: Hex | null = null) => {
      const results = [tokens, hooks, answer, ...calls.slice(3).map(() => null)];
      return judgePools([candidate], results, ethereum).pools.get(FAKE);
    };
    expect(judged(word("1"))).toMatchObject({ factory: FACTORY, tokens: [USDC, GHO], hooks: null });
    const config = (adjusts: bigint, callsAfterSwap: bigint) =>
      amounts(adjusts, 1n, 1n, 1n, 1n, callsAfterSwap, 1n, 1n, 1n, 1n, BigInt(HOOK));
    expect(judged(word("1"), config(1n, 1n))).toMatchObject({ hooks: HOOK });
    for (const hooks of [config(0n, 1n), config(1n, 0n)])
      expect(judged(word("1"), hooks)).toMatchObject({ hooks: ZERO });
    expect(judged(word("0"))).toBeNull();
    expect(judged(null)).toBeNull();
  });
});

describe("PoolCreated of Balancer V3", () => {
  const config = (token: Hex) => ({ token, tokenType: 0, rateProvider: FAKE, paysYieldFees: true });
  const no = { a: false, b: false, c: false, d: false };
  const registered = (factory: Hex, hooks = { a: false, f: false, hooksContract: FAKE }): Log => ({
    address: VAULT,
    topics: encodeEventTopics({
      abi: ABI,
      eventName: "PoolRegistered",
      args: { pool: FAKE, factory },
    }) as Hex[],
    data: encodeAbiParameters(ABI[5].inputs.slice(2), [
      [GHO, USDC, WRAPPED_GHO].map(config),
      1n,
      1,
      { pauseManager: FAKE, swapFeeManager: FAKE, poolCreator: FAKE },
      { ...no, e: false, g: false, h: false, i: false, j: false, ...hooks },
      no,
    ]),
    logIndex: 1,
  });
  const created: Log = {
    address: FACTORY,
    topics: encodeEventTopics({ abi: ABI, eventName: "PoolCreated", args: { pool: FAKE } }) as Hex[],
    data: "0x",
    logIndex: 0,
  };

  it("announces a pool with the tokens that its factory registered", () => {
    expect(createdPool(created, ethereum, null, [created, registered(FACTORY)])).toMatchObject({
      address: FAKE,
      factory: FACTORY,
      tokens: [GHO, USDC, WRAPPED_GHO],
    });
  });

  it("announces nothing that another contract created or registered", () => {
    const logs = [registered(FACTORY)];
    expect(createdPool({ ...created, address: FAKE }, ethereum, null, logs)).toBeNull();
    expect(createdPool(created, ethereum, null, [registered(FAKE)])).toBeNull();
    expect(createdPool(created, ethereum, null, [{ ...registered(FACTORY), address: FAKE }])).toBeNull();
  });

  describe("with a hook that may change amounts", () => {
    const changing = { a: true, f: true, hooksContract: HOOK };
    const pool = createdPool(created, ethereum, null, [created, registered(FACTORY, changing)]);
    const swap: Log = {
      ...{ address: VAULT, topics: topicsOf("Swap", FAKE, GHO, USDC), logIndex: 5 },
      data: amounts(1000n, 500n, 0n, 0n),
    };
    const transfer = (token: Hex, from: Hex, to: Hex, value: bigint): Log => ({
      ...{ address: token, topics: topicsOf("Transfer", from, to), data: amounts(value), logIndex: 1 },
    });
    const paid = transfer(GHO, TRADER, VAULT, 1000n);
    const fee = transfer(USDC, VAULT, HOOK, 50n);
    const received = transfer(USDC, VAULT, TRADER, 450n);
    const swapsOf = (...logs: Log[]) =>
      eventsOf(logs, ethereum, new Map([[FAKE, pool]])).filter(({ kind }) => kind === "swap");

    it("has that hook, and other pools have none", () => {
      expect(pool).toMatchObject({ hooks: HOOK });
      for (const hooks of [
        { ...changing, a: false },
        { ...changing, f: false },
      ]) {
        const logs = [created, registered(FACTORY, hooks)];
        expect(createdPool(created, ethereum, null, logs)).toMatchObject({ hooks: ZERO });
      }
    });

    it("has the amounts that the swapper paid and received, and otherwise none", () => {
      const known = { token0: GHO, token1: USDC, amount0: 1000n, amount1: -450n, amountsUnknown: null };
      expect(swapsOf(paid, swap, fee, received)).toMatchObject([known]);
      const unknown = { amount0: 1n, amount1: -1n, amountsUnknown: "hook_may_change_amounts" };
      expect(swapsOf(swap)).toMatchObject([unknown]);
      expect(swapsOf(paid, swap, received)).toMatchObject([unknown]);
      expect(swapsOf(paid, swap, { ...swap, logIndex: 6 }, fee, received)).toMatchObject([unknown, unknown]);
    });

    it("does not lose its swaps if it is its own hook", () => {
      const own = pool && { ...pool, hooks: FAKE };
      const [found] = eventsOf([swap], ethereum, new Map([[FAKE, own]]));
      expect(found).toMatchObject({ kind: "swap", amountsUnknown: "hook_may_change_amounts" });
    });
  });
});
