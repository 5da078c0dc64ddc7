import { decodeEventLog, encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath, DATA_SET, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { mayHoldNative } from "../../../chains/chain.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import { polygon } from "../../../chains/polygon.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { createAddress } from "../../proofs/create-address.ts";
import { logsWith, movedBy, recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";

const STABLE = parseAbi([
  "event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)",
]);
const UNDERLYING = parseAbi([
  "event TokenExchangeUnderlying(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)",
]);
const CRYPTO = parseAbi([
  "event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought)",
]);
const CRYPTO_NG = parseAbi([
  "event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought, uint256 fee, uint256 packed_price_scale)",
]);
const TRANSFER = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const FORMS = [STABLE, UNDERLYING, CRYPTO, CRYPTO_NG].map((abi) => ({
  abi,
  topic: encodeEventTopics({ abi })[0] as Hex,
}));
const TOPICS = FORMS.map(({ topic }) => topic);

const ETHEREUM_DATA = [MAINNET, bundlePath("eth-covalent"), bundlePath("eth-natives")];
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const WALLET: Hex = `0x${"ee".repeat(20)}`;
const ZERO: Hex = `0x${"0".repeat(40)}`;
const WETH = ethereum.wrappedNative;
const DAI: Hex = "0x6b175474e89094c44da98b954eedeac495271d0f";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const STETH: Hex = "0xae7ab96520de3a18e5e111b5eaab095312d7fe84";
const WBTC: Hex = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599";
const LUSD: Hex = "0x5f98805a4e8be255a32880fdec7f6728c6568ba0";
const THREE_CRV: Hex = "0x6c3f90f043a72fa612cbac8115ee7e52bde6e490";
const THREE_POOL: Hex = "0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7";
const LUSD_POOL: Hex = "0xed279fdd11ca84beef15af5d39bb4d4bee23f0ca";
const OBTC_POOL: Hex = "0xd81da8d904b52208541bade1bd6595d8a251f8dd";
const STABLE_FACTORY: Hex = "0xb9fc157394af804a3578134a6585c0dc9cc990d4";
const NG_FACTORY: Hex = "0x6a8cbed756804b16e05e741edabd5cb544ae21bf";

const blocks = ETHEREUM_DATA.flatMap((bundle) => recordedBlocks(bundle));
const curveSwaps = (given: readonly Block[]) =>
  (["curve-stable", "curve-crypto"] as const).flatMap((family) => recordedSwaps(given, family));

describe("Curve on real blocks", () => {
  const logs = FORMS.flatMap(({ abi, topic }) => logsWith(blocks, topic).map((log) => ({ abi, log })));
  const swaps = curveSwaps(blocks);

  it("reads every swap as an independent decoder does, in pools that nonces or lists prove, without a call", () => {
    expect(logs.length).toBeGreaterThan(0);
    if (DATA_SET === "full") expect(logs).toHaveLength(21);
    const expected = logs.map(({ abi, log: { address, logIndex, data, topics } }) => {
      const { args } = decodeEventLog({ abi, data, topics: topics as [Hex, ...Hex[]], strict: true });
      const { tokens_sold, tokens_bought } = args as unknown as Record<string, bigint>;
      return `${address} ${logIndex} ${tokens_sold} -${tokens_bought}`;
    });
    const found = swaps.map(
      ({ swap }) => `${swap.pool.address} ${swap.logIndex} ${swap.amount0} ${swap.amount1}`,
    );
    expect(found.sort()).toEqual(expected.sort());
  });

  it("reads amounts that the pools' transfers confirm, but for the native coin, which has none", () => {
    for (const recorded of swaps) {
      const { pool, token0, token1 } = recorded.swap;
      const isNative = (token: Hex) => token === WETH && mayHoldNative(ethereum, pool.address, pool.factory);
      const { in: paid, out: received } = movedBy(recorded, pool.address);
      expect(paid || isNative(token0)).toBe(true);
      expect(received || isNative(token1)).toBe(true);
    }
  });

  it("reads swaps of underlying tokens by their own indexes, once", () => {
    const found = swaps.filter(({ swap }) => [LUSD_POOL, OBTC_POOL].includes(swap.pool.address));
    if (DATA_SET !== "full") return expect(found).toEqual([]);
    expect(found.map(({ swap }) => swap)).toMatchObject([
      {
        pool: { protocol: "curve_metapool_factory", tokens: [LUSD, THREE_CRV] },
        ...{ token0: USDC, amount0: 1_392_227_505_365n },
        ...{ token1: LUSD, amount1: -1_392_819_023_405_602_357_833_963n },
      },
      {
        pool: { protocol: "curve_stable" },
        ...{ token0: "0x8064d9ae6cdf087b1bcd5bdf3531bd5d8c537a68", amount0: 463_535_201_058_816n },
        ...{ token1: WBTC, amount1: -35_885n },
      },
    ]);
  });

  it("exchanges tokens of the same price at about that price, and ether at its price of the day", () => {
    const decimals = new Map<Hex, number>([
      ...[USDC, USDT].map((token): [Hex, number] => [token, 6]),
      ...[DAI, LUSD, WETH, STETH].map((token): [Hex, number] => [token, 18]),
    ]);
    const prices = swaps.flatMap(({ swap: { pool, token0, token1, amount0, amount1 } }) => {
      const [sold, bought] = [decimals.get(token0), decimals.get(token1)];
      if (sold === undefined || bought === undefined) return [];
      const price = Number(amount0) / 10 ** sold / (Number(-amount1) / 10 ** bought);
      return [{ family: pool.family, price: token0 === WETH ? 1 / price : price }];
    });
    if (DATA_SET === "full") expect(prices).toHaveLength(10);
    for (const { family, price } of prices) {
      const expected = family === "curve-stable" ? 1 : 1982;
      expect(Math.abs(price / expected - 1)).toBeLessThan(0.01);
    }
  });

  it("makes no swap of a contract that emits the events and is not genuine", () => {
    const copied = withLogs(blocks, (log) =>
      TOPICS.includes(log.topics[0] as Hex) ? { ...log, address: FAKE } : log,
    );
    expect(curveSwaps(copied)).toEqual([]);
    for (const family of ["curve-stable", "curve-crypto"] as const) {
      const candidate = { address: FAKE, family };
      expect(poolCalls([candidate], ethereum)).toEqual([]);
      expect(judgePools([candidate], [listOf(DAI, USDC)], ethereum).pools.get(FAKE)).toBeNull();
    }
  });
});

const word = (value: bigint | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, "0")}`;
const wordsOf = (...values: (bigint | Hex)[]): Hex =>
  `0x${values.map((value) => word(value).slice(2)).join("")}`;
const listOf = (...tokens: Hex[]) => encodeAbiParameters([{ type: "address[]" }], [tokens]);

function exchanged(form: number, emitter: Hex, ...words: bigint[]): Log {
  const topics = [TOPICS[form] as Hex, word(WALLET)];
  return { address: emitter, topics, data: wordsOf(...words), logIndex: 0 };
}

function moved(token: Hex, from: Hex, to: Hex, value: bigint): Log {
  const topics = [encodeEventTopics({ abi: TRANSFER })[0] as Hex, word(from), word(to)];
  return { address: token, topics, data: word(value), logIndex: 0 };
}

/** Returns the swaps of a transaction with these logs. */
function swapsIn(logs: readonly Log[], known: ReadonlyMap<Hex, Pool> = new Map()): Swap[] {
  const [block] = blocks;
  const [transaction] = block?.transactions ?? [];
  if (block === undefined || transaction === undefined) throw new Error("the bundle is empty");
  const numbered = logs.map((log, logIndex) => ({ ...log, logIndex }));
  const made = [{ ...block, transactions: [{ ...transaction, logs: numbered }] }];
  return (["curve-stable", "curve-crypto"] as const)
    .flatMap((family) => recordedSwaps(made, family, known))
    .map(({ swap }) => swap);
}

describe("swaps of underlying tokens", () => {
  const UNDER = 1;

  it("counts one between two tokens of the base pool once: there", () => {
    const swaps = swapsIn([
      exchanged(0, THREE_POOL, 1n, 100n, 2n, 99n),
      exchanged(UNDER, LUSD_POOL, 2n, 100n, 3n, 99n),
    ]);
    expect(swaps).toMatchObject([
      { pool: { address: THREE_POOL }, token0: USDC, token1: USDT, amount0: 100n, amount1: -99n },
    ]);
  });

  it("takes what was paid from the transfer where the event has the base pool's shares", () => {
    const shares = 98n * 10n ** 18n;
    const logs = [
      moved(USDC, WALLET, LUSD_POOL, 7n),
      moved(USDC, WALLET, LUSD_POOL, 100n),
      moved(USDC, LUSD_POOL, THREE_POOL, 100n),
      moved(THREE_CRV, ZERO, LUSD_POOL, shares),
      exchanged(UNDER, LUSD_POOL, 2n, shares, 0n, 99n),
      moved(USDC, WALLET, LUSD_POOL, 8n),
    ];
    expect(swapsIn(logs)).toMatchObject([
      { token0: USDC, token1: LUSD, amount0: 100n, amount1: -99n, logIndex: 4 },
    ]);
    expect(swapsIn(logs.slice(3, 5))).toEqual([]);
  });

  it("reads those of a lending pool from the event, in what it lends", () => {
    const compound: Hex = "0xa2b47e3d5c44877cca798226b7b8118f9bfb7a56";
    const [own, lent] = swapsIn([
      exchanged(0, compound, 0n, 5n, 1n, 4n),
      exchanged(UNDER, compound, 1n, 100n, 0n, 99n),
    ]);
    expect(own).toMatchObject({ token0: "0x5d3a536e4d6dbd6114cc1ead35777bab948e3643", amount0: 5n });
    expect(lent).toMatchObject({ token0: USDC, token1: DAI, amount0: 100n, amount1: -99n });
  });

  it("reads those of the sUSD pool, which has such swaps and lends nothing", () => {
    const susd: Hex = "0xa5407eae9ba41422680e2e00537571bcc53efbfd";
    const [swap] = swapsIn([exchanged(UNDER, susd, 1n, 100n, 2n, 99n)]);
    expect(swap).toMatchObject({ token0: USDC, token1: USDT, amount0: 100n, amount1: -99n });
  });

  it("reads nothing where an index has no token", () => {
    for (const [sold, bought] of [
      [0n, 4n],
      [2n ** 200n, 0n],
      [1n, 1n],
    ] as const) {
      expect(swapsIn([exchanged(UNDER, LUSD_POOL, sold, 5n, bought, 4n)])).toEqual([]);
      expect(swapsIn([exchanged(0, THREE_POOL, sold, 5n, bought, 4n)])).toEqual([]);
    }
  });
});

describe("tokens of factories' pools", () => {
  const judged = (address: Hex, results: (Hex | null)[], chain = ethereum) =>
    judgePools([{ address, family: "curve-stable" }], results, chain).pools.get(address);

  it("come from the factory that created the pool, which confirms nothing", () => {
    const address = createAddress(NG_FACTORY, 299);
    const calls = poolCalls([{ address, family: "curve-stable" }], ethereum);
    expect(calls.map(({ to }) => to)).toEqual([NG_FACTORY, NG_FACTORY]);
    expect(judged(address, [listOf(DAI, USDC, USDT), null])).toMatchObject({
      ...{ protocol: "curve_stable_ng", token0: DAI, token1: USDC },
      ...{ tokens: [DAI, USDC, USDT], underlying: [] },
    });
    expect(judged(address, [null, null])).toBeUndefined();
    expect(judged(address, [listOf(), null])).toBeUndefined();
  });

  it("may be in an array of fixed length, with the native coin among them", () => {
    const address = createAddress(STABLE_FACTORY, 410);
    const native: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
    const pool = judged(address, [wordsOf(native, DAI, ZERO, ZERO), null]);
    expect(pool).toMatchObject({ protocol: "curve_stable_factory", tokens: [WETH, DAI], underlying: [] });
  });

  it("include those of the base pool: what a lending one lends", () => {
    const eight = (...tokens: Hex[]) =>
      wordsOf(...Array.from({ length: 8 }, (_, i): Hex => tokens[i] ?? ZERO));
    const meta = createAddress(STABLE_FACTORY, 3);
    const coins = wordsOf(LUSD, THREE_CRV, ZERO, ZERO);
    expect(judged(meta, [coins, eight(LUSD, DAI, USDC, USDT)])?.underlying).toEqual([LUSD, DAI, USDC, USDT]);
    const factory: Hex = "0x722272d36ef0da72ff51c5a65db7b870e2e8d4ee";
    const shares: Hex = "0xe7a24ef0c5e95ffb0f6684b813a78f2a3ad7d171";
    const wrapped = eight(LUSD, FAKE, FAKE, FAKE);
    const lending = judged(createAddress(factory, 3), [wordsOf(LUSD, shares, ZERO, ZERO), wrapped], polygon);
    expect(lending?.underlying).toEqual([LUSD, ...polygonCoins]);
  });

  const polygonCoins = [
    "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063",
    "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
    "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
  ];

  it("come from transfers without calls: those of a swap, and of a later one of other indexes", () => {
    const pool = createAddress("0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963", 1);
    const first = [moved(USDC, WALLET, pool, 5n), moved(WETH, pool, WALLET, 4n)];
    const second = [moved(WBTC, WALLET, pool, 7n), moved(USDC, pool, WALLET, 6n)];
    const swaps = swapsIn([
      ...[...first, exchanged(3, pool, 0n, 5n, 2n, 4n, 0n, 0n)],
      ...[...second, exchanged(3, pool, 1n, 7n, 0n, 6n, 0n, 0n)],
    ]);
    // The null at the end shows that there may be more tokens.
    expect(swaps[0]?.pool).toMatchObject({ token0: USDC, token1: WETH, tokens: [USDC, null, WETH, null] });
    expect(swaps).toMatchObject([
      { token0: USDC, token1: WETH },
      { token0: WBTC, token1: USDC, amount0: 7n, amount1: -6n },
    ]);
  });

  it("are confirmed by a factory whose nonces are not listed", () => {
    const withoutNonces = ethereum.deployments.map(({ nonces: _, ...deployment }) => deployment);
    const chain = { ...ethereum, deployments: withoutNonces };
    const asked = poolCalls([{ address: FAKE, family: "curve-crypto" }], chain);
    // get_coins of each of the three factories: once for the tokens, and once to confirm the pool.
    expect(asked).toHaveLength(6);
    const judge = (coins: Hex) =>
      judgePools(
        [{ address: FAKE, family: "curve-crypto" }],
        asked.map((_, i) => (i % 3 === 2 ? coins : wordsOf(ZERO, ZERO))),
        chain,
      ).pools.get(FAKE);
    expect(judge(wordsOf(WETH, WBTC))).toMatchObject({
      protocol: "curve_twocrypto_ng",
      tokens: [WETH, WBTC],
    });
    expect(judge(wordsOf(ZERO, ZERO))).toBeNull();
  });
});

describe("creation events", () => {
  const TWO = parseAbi([
    "event TwocryptoPoolDeployed(address pool, string name, string symbol, address[2] coins, address math, bytes32 salt, uint256[2] precisions, uint256 packed_A_gamma, uint256 packed_fee_params, uint256 packed_rebalancing_params, uint256 packed_prices, address deployer)",
  ]);
  const THREE = parseAbi([
    "event TricryptoPoolDeployed(address pool, string name, string symbol, address weth, address[3] coins, address math, bytes32 salt, uint256 packed_precisions, uint256 packed_A_gamma, uint256 packed_fee_params, uint256 packed_rebalancing_params, uint256 packed_prices, address deployer)",
  ]);
  const terms = [1n, 2n, 3n, 4n] as const;

  function created(address: Hex, name: string, coins: 2 | 3): Pool | null {
    const salt = word(9n);
    const data =
      coins === 2
        ? encodeAbiParameters(TWO[0].inputs, [
            ...([FAKE, name, "crv", [WBTC, WETH], WALLET, salt, [1n, 1n]] as const),
            ...terms,
            WALLET,
          ])
        : encodeAbiParameters(THREE[0].inputs, [
            ...([FAKE, name, "", WETH, [USDC, WBTC, WETH], WALLET, salt, 1n] as const),
            ...terms,
            WALLET,
          ]);
    const topics = encodeEventTopics({ abi: coins === 2 ? TWO : THREE }) as Hex[];
    const log = { address, topics, data, logIndex: 0 };
    return createdPool(log, ethereum, { number: 9, timestamp: 90 }, [log]);
  }

  it.each(["a", "a".repeat(33), "a".repeat(64)])("announce a pool with a name as long as %s", (name) => {
    const two = "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f";
    const three = "0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963";
    expect(created(two, name, 2)).toMatchObject({ address: FAKE, tokens: [WBTC, WETH], createdBlock: 9 });
    expect(created(three, name, 3)).toMatchObject({ address: FAKE, tokens: [USDC, WBTC, WETH] });
    expect(created(FAKE, name, 3)).toBeNull();
  });
});
