import { expect } from "vitest";
import { POOLS } from "../../devnet/market/pools.ts";
import {
  BALANCER_VAULT,
  V4_MANAGER,
  V4_POOLS,
  WEIGHTED_POOL,
} from "../../devnet/market/shared/shared-pools.ts";
import { STABLES, WETH } from "../../devnet/market/tokens.ts";
import { keccakText } from "../../devnet/node/call-data.ts";
import { pricedOf, ROBUST } from "./support/expected.ts";
import { rule, section } from "./support/rules.ts";
import { once, post, sql, type TradeRow, the } from "./support/service.ts";

// biome-ignore lint/suspicious/noExplicitAny: rows of the node and of the service, of any shape
type Row = Record<string, any>;

const number = (hex: string) => Number(hex);
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const addressIn = (topic: string) => `0x${topic.slice(26)}`;

/** All logs of the node. */
const nodeLogs = once(() => the().node.rpc<Row[]>("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" }));
const nodeBlocks = once(async () => {
  const head = (await the().node.head()).number;
  const blocks = new Map<number, Row>();
  for (let i = 0; i <= head; i++) {
    blocks.set(i, await the().node.rpc<Row>("eth_getBlockByNumber", `0x${i.toString(16)}`, true));
  }
  return blocks;
});
const timeOf = async (block: number) => number((await nodeBlocks()).get(block)?.timestamp);

const logRows = once(() => sql("SELECT * FROM eth_logs ORDER BY block_number, log_index LIMIT 100000"));
const poolRows = once(() => sql("SELECT * FROM eth_pool_metadata"));

/** Compares a column of the response with the logs of the node. */
async function sameColumn(field: string, expected: (log: Row) => unknown): Promise<void> {
  const logs = await nodeLogs();
  expect(logs.length).toBeGreaterThan(1000);
  const found = (await logRows()).map((row) => row[field]);
  expect(found).toEqual(await Promise.all(logs.map(expected)));
}

function ascends(rows: Row[]): void {
  const indexes = rows.map(({ record_index }) => record_index);
  expect(indexes.every(Number.isSafeInteger)).toBe(true);
  expect(indexes).toEqual([...new Set(indexes)].toSorted((a, b) => a - b));
}

section("Tables: eth_logs", import.meta.url, () => {
  const fields: Record<string, (log: Row) => unknown> = {
    "timestamp: string (ISO 8601)": async (log) => iso(await timeOf(number(log.blockNumber))),
    "address: string, emitting contract address": (log) => log.address,
    "block_hash: string": (log) => log.blockHash,
    "block_number: integer": (log) => number(log.blockNumber),
    "data: string, hex-encoded": (log) => log.data,
    "log_index: integer": (log) => number(log.logIndex),
    "topic_0: string, event signature hash": (log) => log.topics[0],
    "topic_1: string or null": (log) => log.topics[1] ?? null,
    "topic_2: string or null": (log) => log.topics[2] ?? null,
    "topic_3: string or null": (log) => log.topics[3] ?? null,
    "transaction_hash: string": (log) => log.transactionHash,
    "transaction_index: integer": (log) => number(log.transactionIndex),
  };
  for (const [text, expected] of Object.entries(fields)) {
    rule(text, () => sameColumn(text.split(":")[0] ?? "", expected));
  }
  rule("record_index: integer", async () => ascends(await logRows()));
});

/** A factory's event, and the pool that follows from the event and its transaction. */
interface Creation {
  protocol: string;
  pool: string;
  tokens: string[];
  log: Row;
}

const TOKENS_REGISTERED = keccakText("TokensRegistered(bytes32,address[],address[])");
const ETHER = `0x${"0".repeat(40)}`;

const CREATIONS: Record<string, (log: Row, logs: Row[]) => Omit<Creation, "log">> = {
  [keccakText("PairCreated(address,address,address,uint256)")]: ({ topics, data }) => ({
    ...{ protocol: "uniswap_v2", pool: `0x${data.slice(26, 66)}` },
    tokens: topics.slice(1).map(addressIn),
  }),
  [keccakText("PoolCreated(address,address,uint24,int24,address)")]: ({ topics, data }) => ({
    ...{ protocol: "uniswap_v3", pool: `0x${data.slice(90, 130)}` },
    tokens: topics.slice(1, 3).map(addressIn),
  }),
  [keccakText("Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)")]: ({ topics }) => ({
    ...{ protocol: "uniswap_v4", pool: topics[1] },
    tokens: topics.slice(2).map((topic: string) => addressIn(topic).replace(ETHER, WETH.address)),
  }),
  [keccakText("PoolCreated(address)")]: ({ topics, transactionHash }, logs) => {
    const registered = logs.find(
      (one) => one.transactionHash === transactionHash && one.topics[0] === TOKENS_REGISTERED,
    );
    const [, , count = "0", ...listed] = registered?.data.slice(2).match(/.{64}/g) ?? [];
    const tokens = listed.slice(0, Number(`0x${count}`)).map((word: string) => addressIn(`0x${word}`));
    return { protocol: "balancer_v2", pool: addressIn(topics[1]), tokens };
  },
};

section("Tables: eth_pool_metadata", import.meta.url, () => {
  const created = once(async () => {
    const logs = await nodeLogs();
    const creations = logs.flatMap((log): [string, Creation][] => {
      const creation = CREATIONS[log.topics[0]]?.(log, logs);
      return creation === undefined ? [] : [[creation.pool, { ...creation, log }]];
    });
    return new Map(creations);
  });
  const fields: Record<string, (creation: Creation) => unknown> = {
    "block_number_created: integer": ({ log }) => number(log.blockNumber),
    "token_0_address: string": ({ tokens }) => tokens[0],
    "token_1_address: string": ({ tokens }) => tokens[1],
    "timestamp_created: string (ISO 8601)": async ({ log }) => iso(await timeOf(number(log.blockNumber))),
    "protocol: string (protocol identifier)": ({ protocol }) => protocol,
  };
  for (const [text, expected] of Object.entries(fields)) {
    rule(text, async () => {
      const field = text.split(":")[0] ?? "";
      for (const row of await poolRows()) {
        const creation = (await created()).get(row.pool_address) ?? expect.fail(row.pool_address);
        expect([row.pool_address, row[field]]).toEqual([row.pool_address, await expected(creation)]);
      }
    });
  }
  rule("pool_address: string", async () => {
    const addresses = (await poolRows()).map(({ pool_address }) => pool_address);
    const shared = [...V4_POOLS.map(({ id }) => id), WEIGHTED_POOL.address];
    const own = [...POOLS.map(({ address }) => address), the().oak.pool];
    expect(addresses.toSorted()).toEqual([...own, ...shared].toSorted());
  });
});

/** Returns the trades of the same token in a window that ends with this trade. Includes the trade. */
function windowOf(trade: TradeRow, seconds: number): TradeRow[] {
  return the().trades.filter(
    (row) =>
      row.token_address === trade.token_address &&
      row.record_index <= trade.record_index &&
      row.at > trade.at - seconds,
  );
}

const priced = (rows: TradeRow[]) =>
  rows.filter(({ amount_token, amount_usd }) => amount_token && amount_usd !== null);
const sum = (rows: TradeRow[], name: "amount_usd" | "amount_token") =>
  rows.reduce((total, row) => total + (row[name] ?? 0), 0);
const average = (rows: TradeRow[]) => sum(priced(rows), "amount_usd") / sum(priced(rows), "amount_token");
const HOUR = 3600;

/**
 * Expects a double to be near a number. Tolerates the rounding of sums that are added in a different order.
 */
function near(found: unknown, expected: number): void {
  if (!Number.isFinite(expected)) expect(found).toBeNull();
  else expect(Math.abs(Number(found) - expected)).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
}

function everyTrade(check: (trade: TradeRow) => void): Promise<void> {
  expect(the().trades.length).toBeGreaterThan(200);
  for (const trade of the().trades) check(trade);
  return Promise.resolve();
}

section("Tables: eth_dex_trades", import.meta.url, () => {
  const blockHash = async (trade: TradeRow) => (await nodeBlocks()).get(trade.block_number)?.hash;

  rule("timestamp: string (ISO 8601)", async () => {
    for (const trade of the().trades) expect(trade.at).toBe(await timeOf(trade.block_number));
  });
  rule("block_hash: string or null", async () => {
    for (const trade of the().trades) expect(trade.block_hash).toBe(await blockHash(trade));
  });
  rule("block_number: integer; transaction_hash: string", async () => {
    for (const { block_number, transaction_hash } of the().trades) {
      const { transactions } = (await nodeBlocks()).get(block_number) ?? {};
      expect(transactions.map(({ hash }: Row) => hash)).toContain(transaction_hash);
    }
  });
  rule("transaction_hash: string", async () => {
    const swaps = new Set((await nodeLogs()).map(({ transactionHash }) => transactionHash));
    await everyTrade((trade) => expect(swaps.has(trade.transaction_hash)).toBe(true));
  });
  rule("pool_address: string; protocol_name: string, protocol identifier", async () => {
    const protocols = new Map((await poolRows()).map((row) => [row.pool_address, row.protocol]));
    await everyTrade((trade) => expect(trade.protocol_name).toBe(protocols.get(trade.pool_address)));
  });
  rule("token_address: string", async () => {
    const tokens = new Map(
      (await poolRows()).map((row) => [row.pool_address, row.token_addresses.split(",")]),
    );
    await everyTrade((trade) => expect(tokens.get(trade.pool_address)).toContain(trade.token_address));
  });
  rule("side: string, buy or sell; amount_token: double, as transferred", async () => {
    const moved = new Map<string, Set<number>>();
    for (const log of (await nodeLogs()).filter(
      ({ topics }) => topics[0] === TRANSFER && topics.length === 3,
    )) {
      const ends = log.topics.slice(1).map(addressIn);
      for (const [pool, side] of [
        [ends[0], "buy"],
        [ends[1], "sell"],
      ]) {
        const key = [log.transactionHash, log.address, pool, side].join();
        moved.set(key, (moved.get(key) ?? new Set()).add(number(log.data)));
      }
    }
    const decimals = new Map(
      (await sql("SELECT * FROM eth_token_metadata LIMIT 10000")).map((row) => [
        row.token_address,
        row.decimals,
      ]),
    );
    const holders = new Map<string, string>([
      ...V4_POOLS.map(({ id }): [string, string] => [id, V4_MANAGER]),
      [WEIGHTED_POOL.address, BALANCER_VAULT],
    ]);
    let [found, inEther] = [0, 0];
    await everyTrade(({ transaction_hash, token_address, pool_address, side, amount_token }) => {
      // Native ether moves without a Transfer event.
      if (token_address === WETH.address && holders.get(pool_address) === V4_MANAGER) {
        inEther += 1;
        return;
      }
      const holder = holders.get(pool_address) ?? pool_address;
      const amounts = moved.get([transaction_hash, token_address, holder, side].join());
      const base = (amount_token ?? 0) * 10 ** decimals.get(token_address);
      if ([...(amounts ?? [])].some((amount) => Math.abs(amount / base - 1) < 1e-9)) found += 1;
    });
    // A token with a transfer tax moves less than the pool's event reports.
    expect(found / (the().trades.length - inEther)).toBeGreaterThan(0.95);
  });
  rule("record_index: integer", async () => ascends(the().trades));
  rule("amount_usd: double", () =>
    everyTrade(({ amount_usd, amount_token, price_token_usd_tick_1 }) =>
      near(amount_usd, (price_token_usd_tick_1 ?? Number.NaN) * (amount_token ?? 0)),
    ),
  );
  rule("amount_eth: double", () =>
    everyTrade(({ amount_eth, amount_token, price_token_eth }) =>
      near(amount_eth, (price_token_eth ?? Number.NaN) * (amount_token ?? 0)),
    ),
  );
  rule("num_trades_1h: integer", () =>
    everyTrade((trade) => expect(trade.num_trades_1h).toBe(windowOf(trade, HOUR).length)),
  );
  rule("num_trades_24h: integer", () =>
    everyTrade((trade) => expect(trade.num_trades_24h).toBe(windowOf(trade, 24 * HOUR).length)),
  );
  rule("volume_1h_usd: double", () =>
    everyTrade((trade) => near(trade.volume_1h_usd, sum(windowOf(trade, HOUR), "amount_usd"))),
  );
  rule("volume_24h_usd: double", () =>
    everyTrade((trade) => near(trade.volume_24h_usd, sum(windowOf(trade, 24 * HOUR), "amount_usd"))),
  );
  rule("price_token_usd_tick_1: double, price from the most recent swap", () =>
    everyTrade((trade) => near(trade.price_token_usd_tick_1, average([trade]))),
  );
  rule("price_token_usd_tick_100: double", () =>
    everyTrade((trade) =>
      near(trade.price_token_usd_tick_100, average(windowOf(trade, Infinity).slice(-100))),
    ),
  );
  rule("price_token_usd_wavg_1h: double or null", () =>
    everyTrade((trade) => near(trade.price_token_usd_wavg_1h, average(windowOf(trade, HOUR)))),
  );
  rule("price_token_usd_wavg_24h: double or null", () =>
    everyTrade((trade) => near(trade.price_token_usd_wavg_24h, average(windowOf(trade, 24 * HOUR)))),
  );

  rule(
    "price_token_usd_robust_tick_1: as price_token_usd_tick_1 with significant outliers removed",
    async () => {
      await everyTrade((trade) => {
        const { price_token_usd_robust_tick_1: robust, price_token_usd_tick_1: price } = trade;
        if (robust !== null) expect(robust).toBe(price);
      });
      const given = the().trades.filter((row) => row.price_token_usd_robust_tick_1 !== null).length;
      expect([given > the().trades.length / 2, given < the().trades.length]).toEqual([true, true]);
    },
  );

  for (const hours of [1, 24] as const) {
    const accepted = (trade: TradeRow) =>
      windowOf(trade, hours * HOUR).filter((row) => row.price_token_usd_robust_tick_1 !== null);
    const of = (trade: TradeRow, side: string) => average(accepted(trade).filter((row) => row.side === side));
    const name = (kind: string) => `price_token_usd_robust_${kind}_${hours}h`;
    const period = hours === 1 ? "the last hour" : `the last ${hours} hours`;
    rule(`${name("total")}: price from the buy and sell trades of ${period}`, () =>
      everyTrade((trade) => near(trade[name("total")], average(accepted(trade)))),
    );
    for (const side of ["buy", "sell"]) {
      rule(`${name(side)}: price from only the ${side} trades of ${period}`, () =>
        everyTrade((trade) => near(trade[name(side)], of(trade, side))),
      );
    }
    rule(`${name("mid")}: mean of the buy price and the sell price`, () =>
      everyTrade((trade) => near(trade[name("mid")], (of(trade, "buy") + of(trade, "sell")) / 2)),
    );
  }
});

section("Tables: eth_transactions, eth_erc721", import.meta.url, () => {
  rule("Transactions: to_address and timestamp", async () => {
    const rows = await sql(
      "SELECT transaction_hash, to_address, timestamp FROM eth_transactions LIMIT 100000",
    );
    const given = new Map(rows.map(({ transaction_hash, ...row }) => [transaction_hash, row]));
    let compared = 0;
    for (const { transactions, timestamp } of (await nodeBlocks()).values()) {
      for (const { hash, to } of transactions as Row[]) {
        expect(given.get(hash)).toEqual({ to_address: to, timestamp: iso(number(timestamp)) });
        compared += 1;
      }
    }
    expect(compared).toBe(rows.length);
  });
  rule("ERC-721 transfers: the field timestamp is used", async () => {
    const logs = (await nodeLogs()).filter(({ topics }) => topics[0] === TRANSFER && topics.length === 4);
    const times = await Promise.all(
      logs.map(async (log) => ({ timestamp: iso(await timeOf(number(log.blockNumber))) })),
    );
    expect(await sql("SELECT timestamp FROM eth_erc721 ORDER BY record_index LIMIT 100000")).toEqual(times);
    expect(times.length).toBeGreaterThan(0);
  });
});

section("Tables: erc20, as returned by the top-records endpoint", import.meta.url, () => {
  const transfers = once(async () => {
    const tokens = [
      ...new Set(
        (await sql("SELECT token_address FROM eth_token_metadata LIMIT 1000")).map(
          (row) => row.token_address,
        ),
      ),
    ];
    const { status, body } = await post("/v1/topk-api/erc20", {
      ...{
        groupby: "token_address",
        eq: tokens,
        sortby: "record_index",
        order: "asc",
        size: (100_000 / tokens.length) | 0,
      },
    });
    expect(status).toBe(200);
    return (Object.values(body).flat() as Row[]).toSorted((a, b) => a.record_index - b.record_index);
  });
  const names = once(async () => {
    const rows = await sql("SELECT * FROM eth_token_metadata LIMIT 1000");
    return new Map(rows.map((row) => [row.token_address, row]));
  });
  const logs = once(async () =>
    (await nodeLogs()).filter(({ topics }) => topics[0] === TRANSFER && topics.length === 3),
  );
  const transactionAt = (log: Row) => number(log.transactionIndex);
  const fields: Record<string, (log: Row) => unknown> = {
    "transaction_hash: string": (log) => log.transactionHash,
    "transaction_index: integer": transactionAt,
    "block_number: integer": (log) => number(log.blockNumber),
    "timestamp: integer, Unix seconds": (log) => timeOf(number(log.blockNumber)),
    "from_address: string": (log) => addressIn(log.topics[1]),
    "to_address: string": (log) => addressIn(log.topics[2]),
    "token_address: string": (log) => log.address,
    "token_symbol: string": async (log) => (await names()).get(log.address)?.token_symbol,
    "token_name: string": async (log) => (await names()).get(log.address)?.token_name,
    "log_index: integer": (log) => number(log.logIndex),
    "value_base: string, amount in base units, decimal digits": (log) => String(BigInt(log.data)),
    "value_token: double, amount in token units": async (log) =>
      Number(`${BigInt(log.data)}e-${(await names()).get(log.address)?.decimals}`),
  };
  for (const [text, expected] of Object.entries(fields)) {
    rule(text, async () => {
      const field = text.split(":")[0] ?? "";
      const found = (await transfers()).map((row) => row[field]);
      expect(found).toEqual(await Promise.all((await logs()).map(expected)));
    });
  }
  rule("record_index: integer", async () => ascends(await transfers()));
  rule("value_usd: double; at the robust price in force, null while there is none", async () => {
    let compared = 0;
    const cash = [WETH, ...STABLES].map(({ address }) => address as string);
    for (const row of (await transfers()).filter(({ token_address }) => !cash.includes(token_address))) {
      const isBefore = (trade: TradeRow) =>
        trade.block_number < row.block_number ||
        (trade.block_number === row.block_number && Number(trade.log_index) < row.log_index);
      const inForce = pricedOf({ token: row.token_address }, ROBUST).findLast((one) => isBefore(one.row));
      near(row.value_usd, inForce === undefined ? Number.NaN : inForce.price * row.value_token);
      compared += Number(inForce !== undefined);
    }
    expect(compared).toBeGreaterThan(100);
  });
});
