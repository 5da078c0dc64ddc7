import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { seeded } from "../../../test/support/seeded.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { RowOf } from "../../schema/tables.ts";
import { commitTrades, hashOf, hexOf, type Market, openMarket, type Trade } from "../support/market.ts";
import { prepareClientQuery, runClientQuery } from "./client-sql.ts";

const AT = 1_704_412_800;
const USDC = hexOf(0xcc);
const WETH = hexOf(1);
const CHAIN: Chain = { ...BARE_CHAIN, name: "eth", chainId: 1, wrappedNative: WETH, stableCoins: [USDC] };

interface Named {
  symbol: string | null;
  name: string | null;
  /** Signs of spam in the name that a human reader would notice. */
  linked?: boolean;
  imitates?: boolean;
}

/** Names with and without signs of spam, as a reader would judge them. */
const NAMES: Named[] = [
  { symbol: "PEPE", name: "Pepe" },
  { symbol: null, name: null },
  { symbol: "", name: "" },
  { symbol: "3Crv", name: "Curve.fi DAI/USDC/USDT" },
  { symbol: "USDC.e", name: "USD Coin (PoS)" },
  { symbol: "USDbC", name: "USD Base Coin" },
  { symbol: "aEthUSDC", name: "Aave Ethereum USDC" },
  { symbol: "DRP", name: "Dr.Pepper" },
  { symbol: "V1.1", name: "Vault v1.1" },
  { symbol: "ETH", name: "Ether" },
  { symbol: "猫", name: "猫币" },
  { symbol: "COM", name: "Company.communities" },
  { symbol: "YFI", name: "yearn.finance", linked: true },
  { symbol: "GIFT", name: "$ 3000 USDCgift.net", linked: true },
  { symbol: "Visit aave-claim.com to claim", name: "Reward", linked: true },
  { symbol: "UNI", name: "HTTPS://UNI-AIRDROP.example", linked: true },
  { symbol: "T", name: "t.me/freetokens", linked: true },
  { symbol: "W", name: "www.airdrop", linked: true },
  { symbol: "USDC", name: "USD Coin", imitates: true },
  { symbol: "usdc", name: "x", imitates: true },
  { symbol: "U S D C", name: "x", imitates: true },
  { symbol: "US\u200bDC", name: "x", imitates: true },
  { symbol: "USD\u0421", name: "Cyrillic letter", imitates: true },
  { symbol: "USD\u03f9", name: "Greek letter, which NFKD replaces", imitates: true },
  { symbol: "usd\u03f2", name: "the same in lower case", imitates: true },
  { symbol: "\uff35\uff33\uff24\uff23", name: "Wide letters", imitates: true },
  { symbol: "ÚSDC", name: "Accent", imitates: true },
  { symbol: "VVETH", name: "Two letters that look like one", imitates: true },
  { symbol: "vveth", name: "the same in lower case", imitates: true },
  { symbol: "U5DC", name: "A digit that looks like a letter", imitates: true },
  { symbol: "USDC0", name: "A digit more" },
  { symbol: "\u13d4ETH", name: "A letter that looks like another one" },
  { symbol: "WE\u0422H", name: "www.weth.io", imitates: true, linked: true },
];

interface Facts extends Named {
  token: Hex;
  /** Robust prices of trades that the outlier rule has judged; null if it rejected the trade. */
  robust: (number | null)[];
  /** Recipients of each of the token's transactions. */
  recipients: Hex[][];
}

const random = seeded(7);
const below = (limit: number) => Math.floor(random() * limit);

/** Every name combined with every kind of history. */
const TOKENS: Facts[] = NAMES.flatMap((named, i) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((kind): Facts => {
    const largest =
      [
        [50, 49],
        [591, 14],
      ][i % 2]?.[kind % 2] ?? 1;
    const sizes = kind < 4 ? [1 + below(3), 1 + below(3)] : [largest, 1 + below(49)];
    return {
      ...named,
      token: hexOf(0x10_000 + i * 0x10 + kind),
      robust: [[], [null], [1.5], [null, 1.5]][kind % 4] ?? [],
      recipients: sizes.map((size) => Array.from({ length: size }, (_, n) => hexOf(0x900_000 + n))),
    };
  }),
);

const LISTED: Facts[] = [
  { token: USDC, symbol: "USDC", name: "circle.com", robust: [], recipients: [] },
  { token: WETH, symbol: "WETH", name: "Wrapped Ether", robust: [], recipients: [] },
];

/** Returns the spam reasons of a token, by a second implementation of the rule, for comparison. */
function spamReasons({ token, linked = false, imitates = false, robust, recipients }: Facts): string | null {
  if (token === USDC || token === WETH) return null;
  const untraded = robust.every((price) => price === null);
  const airdropped = recipients.some((list) => new Set(list).size >= 50);
  const reasons = [
    ...(untraded ? ["no_accepted_trade"] : []),
    ...(linked ? ["link_in_name"] : []),
    ...(imitates ? ["imitates_listed_symbol"] : []),
    ...(untraded && airdropped ? ["airdrop_fan_out"] : []),
  ];
  const isSpam = imitates || (untraded && (linked || airdropped));
  return isSpam ? reasons.join(",") : null;
}

let market: Market;

beforeAll(async () => {
  market = await openMarket([]);
  market.chains = [{ chain: CHAIN, store: market.store }];
  await commit(1000, [...LISTED, ...TOKENS]);
});
afterAll(() => market.close());

/** Commits a block with all facts about these tokens. */
function commit(block: number, tokens: Facts[]) {
  const trades = tokens.flatMap(({ token, robust }) =>
    robust.map((price): Trade => ({ token, at: AT + block, price: 1.5, robust: price })),
  );
  const named = tokens.map((facts, i) => metadataRow(facts, block, i));
  let log = 0;
  const erc20 = tokens.flatMap(({ token, recipients }) =>
    recipients.flatMap((list, n) => {
      const hash = hexOf(Number(token) * 1000 + n, 32);
      // A recipient counts once, however often it receives tokens.
      return [...list, ...list.slice(0, 3)].map((to) => transferRow({ token, hash, to, block, log: log++ }));
    }),
  );
  const token_balances = tokens.map(({ token, symbol }, i) => balanceRow(token, symbol, block, i));
  const one: Trade = { token: USDC, at: AT + block, price: 1, robust: null };
  return commitTrades(market.store, [...trades, one], {
    firstBlock: block,
    rows: { token_metadata: named, erc20, token_balances },
  });
}

function metadataRow({ token, symbol, name }: Facts, block: number, i: number): RowOf<"token_metadata"> {
  return {
    token_address: token,
    token_symbol: symbol,
    token_name: name,
    decimals: 18,
    first_seen_block_number: block,
    record_index: recordIndexOf("wide", block, i),
    is_born: 0,
  };
}

interface Sent {
  token: Hex;
  hash: Hex;
  to: Hex;
  block: number;
  log: number;
}

function transferRow({ token, hash, to, block, log }: Sent): RowOf<"erc20"> {
  return {
    record_index: recordIndexOf("wide", block, log),
    transaction_hash: hash,
    transaction_index: 0,
    block_number: block,
    timestamp: AT + block,
    from_address: hexOf(9),
    to_address: to,
    token_address: token,
    token_symbol: null,
    token_name: null,
    log_index: log,
    value_base: 1n,
    value_token: null,
    value_usd: null,
  };
}

const WALLET = hexOf(0x77);

function balanceRow(token: Hex, symbol: string | null, block: number, i: number): RowOf<"token_balances"> {
  return {
    wallet_address: WALLET,
    token_address: token,
    token_symbol: symbol,
    balance_base: 1n,
    balance_token: 1,
    block_number: block,
    timestamp: AT + block,
    record_index: recordIndexOf("wide", block, i),
  };
}

interface Verdict {
  token_address: Hex;
  spam_reasons: string | null;
}

async function read<T = Verdict>(text: string): Promise<T[]> {
  const query = prepareClientQuery(market, { text, now: AT, format: "json", sqlLimits: {} });
  const collect = async (pieces: AsyncIterable<Uint8Array>) => (await json(pieces)) as T[];
  return (await runClientQuery(market, query, { limits: {}, collect })).answer.collected;
}

const verdictsOf = (facts: readonly Facts[]) =>
  Object.fromEntries(facts.map((token) => [token.token, spamReasons(token)]));
const asObject = (rows: Verdict[]) =>
  Object.fromEntries(rows.map(({ token_address, spam_reasons }) => [token_address, spam_reasons]));

describe("the spam verdict", () => {
  it("equals the rule computed a second way, for every token", async () => {
    const rows = await read("SELECT token_address, spam_reasons FROM eth_token_metadata");
    expect(asObject(rows)).toEqual(verdictsOf([...LISTED, ...TOKENS]));
    const counts = rows.reduce<Record<string, number>>((sums, { spam_reasons: reasons }) => {
      const key = reasons ?? "none";
      return Object.assign(sums, { [key]: (sums[key] ?? 0) + 1 });
    }, {});
    expect(Object.keys(counts).sort()).toEqual([
      "imitates_listed_symbol",
      "link_in_name,imitates_listed_symbol",
      "no_accepted_trade,airdrop_fan_out",
      "no_accepted_trade,imitates_listed_symbol",
      "no_accepted_trade,imitates_listed_symbol,airdrop_fan_out",
      "no_accepted_trade,link_in_name",
      "no_accepted_trade,link_in_name,airdrop_fan_out",
      "no_accepted_trade,link_in_name,imitates_listed_symbol",
      "no_accepted_trade,link_in_name,imitates_listed_symbol,airdrop_fan_out",
      "none",
    ]);
  });

  it("is the same in every table that names a token", async () => {
    const traded = [...TOKENS.filter(({ robust }) => robust.length > 0), ...LISTED.slice(0, 1)];
    const trades = await read("SELECT DISTINCT token_address, spam_reasons FROM eth_dex_trades");
    expect(asObject(trades)).toEqual(verdictsOf(traded));
    const transfers = await read("SELECT DISTINCT token_address, spam_reasons FROM eth_erc20");
    expect(asObject(transfers)).toEqual(verdictsOf(TOKENS));
    const balances = await read(
      `SELECT token_address, spam_reasons FROM eth_token_balances WHERE wallet_address = '${WALLET}' AND balance_base > 0`,
    );
    expect(asObject(balances)).toEqual(verdictsOf([...LISTED, ...TOKENS]));
  });

  it.each([
    ["spam_reasons IS NULL", (facts: Facts) => spamReasons(facts) === null],
    ["spam_reasons LIKE '%link_in_name%'", (facts: Facts) => spamReasons(facts)?.includes("link") ?? false],
    [
      `NOT (spam_reasons IS NOT NULL OR token_address = '${USDC}')`,
      (facts: Facts) => facts.token !== USDC && spamReasons(facts) === null,
    ],
    [
      `token_address IN ('${TOKENS.slice(90, 130)
        .map(({ token }) => token)
        .join("', '")}') AND spam_reasons IS NOT NULL`,
      (facts: Facts) => TOKENS.slice(90, 130).includes(facts) && spamReasons(facts) !== null,
    ],
    [
      "token_symbol = 'USDC' AND spam_reasons IS NOT NULL",
      (facts: Facts) => facts.symbol === "USDC" && facts.token !== USDC,
    ],
  ])("filters rows by %s", async (where, isExpected) => {
    const rows = await read<Verdict>(`SELECT token_address FROM eth_token_metadata WHERE ${where}`);
    const expected = [...LISTED, ...TOKENS].filter(isExpected).map(({ token }) => token);
    expect(rows.map(({ token_address }) => token_address).sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(0);
  });

  it("is the same if a condition is too large to select the rows to judge", async () => {
    const listed = [...LISTED, ...TOKENS].map(({ token }) => token);
    const others = Array.from({ length: 2_500 - listed.length }, (_, i) => hexOf(0x5_000_000 + i));
    const list = [...listed, ...others].map((token) => `'${token}'`).join(",");
    const rows = await read(
      `SELECT token_address, spam_reasons FROM eth_token_metadata WHERE token_address IN (${list})`,
    );
    expect(asObject(rows)).toEqual(verdictsOf([...LISTED, ...TOKENS]));
    const traded = await read(
      `SELECT DISTINCT token_address, spam_reasons FROM eth_dex_trades WHERE trader_address NOT IN (${list})`,
    );
    expect(asObject(traded)).toEqual(
      verdictsOf([...LISTED.slice(0, 1), ...TOKENS.filter(({ robust }) => robust.length > 0)]),
    );
  });

  it("groups rows, and sorts them", async () => {
    const rows = await read<{ spam_reasons: string | null; n: number }>(
      "SELECT spam_reasons, COUNT(*) AS n FROM eth_token_metadata GROUP BY spam_reasons ORDER BY n DESC, spam_reasons",
    );
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(TOKENS.length + LISTED.length);
    expect(rows[0]?.spam_reasons).toBe(null);
  });

  it("is not in SELECT *", async () => {
    const [row] = await read<object>("SELECT * FROM eth_token_metadata LIMIT 1");
    expect(row).not.toHaveProperty("spam_reasons");
  });

  it("follows a reorg: what acquits or convicts a token goes with its block", async () => {
    const token = hexOf(0x777_777);
    const facts: Facts = { token, symbol: "GIFT", name: "gift.com", robust: [], recipients: [] };
    const reasonsOf = async () =>
      (
        await read(
          `SELECT token_address, spam_reasons FROM eth_token_metadata WHERE token_address = '${token}'`,
        )
      )[0]?.spam_reasons;
    await commit(1001, [facts]);
    expect(await reasonsOf()).toBe("no_accepted_trade,link_in_name");
    await commitTrades(market.store, [{ token, at: AT + 1002, price: 2 }], { firstBlock: 1002 });
    expect(await reasonsOf()).toBe(null);
    await market.store.rollback({ number: 1001, hash: hashOf(1001), timestamp: AT + 1001 });
    expect(await reasonsOf()).toBe("no_accepted_trade,link_in_name");
  });
});
