import { firstRecordIndex } from "../../../src/schema/record-index.ts";
import type { Api } from "../../support/processes/processes.ts";
import type { Fields, Reconstruction } from "./reconstruction.ts";

/** A chain, and the service that knows what clients must have. */
export interface Place {
  chain: string;
  api: Api;
}

/** Maximum number of rows to read, more than any test has. */
const ALL = 100_000;

const STATES: Record<string, (client: Reconstruction, asked: Fields, place: Place) => Promise<Pair>> = {
  prices: latestPrices,
  candles,
  pool_state: poolStates,
};

/** The expected value, and the client's value. */
type Pair = [unknown, unknown];

/**
 * Compares a client's blocks, rows and states with the tables and the endpoints. Returns the faults that the
 * client recorded, and then the differences.
 */
export async function differencesOf(
  client: Reconstruction,
  subscriptions: readonly Fields[],
  place: Place,
): Promise<string[]> {
  const found = [...client.faults];
  const note = (what: string, [expected, actual]: Pair) => {
    const difference = firstDifference(expected, actual);
    if (difference !== null) found.push(`${what} from block ${client.blocks[0]?.number}: ${difference}`);
  };
  note("blocks", await blocks(client, place));
  for (const subscription of subscriptions) {
    const pair = await (STATES[String(subscription.type)] ?? rows)(client, subscription, place);
    note(JSON.stringify(subscription), pair);
  }
  return found;
}

async function blocks(client: Reconstruction, { chain, api }: Place): Promise<Pair> {
  const first = client.blocks[0]?.number ?? 0;
  const stored = await api.sql<{ block_hash: string }>(
    `SELECT block_hash FROM ${chain}_blocks WHERE block_number >= ${first} ORDER BY block_number LIMIT ${ALL}`,
  );
  return [stored.map(({ block_hash: hash }) => hash), client.blocks.map(({ hash }) => hash)];
}

/** Returns the rows of the table, and the rows that the client has, both in order. */
async function rows(client: Reconstruction, subscription: Fields, { chain, api }: Place): Promise<Pair> {
  const first = firstRecordIndex("wide", (client.blocks[0]?.number ?? 0) + 1);
  const conditions = [`record_index >= ${first}`, ...conditionsOf(subscription)].join(" AND ");
  const table = `${chain}_${tableOf(subscription)}`;
  const stored = await api.sql(
    `SELECT * FROM ${table} WHERE ${conditions} ORDER BY record_index LIMIT ${ALL}`,
  );
  return [stored.map(inFixedForm), client.rowsOf(String(subscription.id)).map(inFixedForm)];
}

function tableOf({ type, standard = "erc20" }: Fields): string {
  const tables: Fields = {
    trades: "dex_trades",
    transfers: standard,
    pools: "pool_metadata",
    tokens: "token_metadata",
    blocks: "blocks",
  };
  return String(tables[String(type)]);
}

function conditionsOf(subscription: Fields): string[] {
  const columns: Record<string, string[]> = {
    token_address: subscription.type === "pools" ? ["token_0_address", "token_1_address"] : ["token_address"],
    pool_address: ["pool_address"],
    trader_address: ["trader_address"],
    wallet_address: ["from_address", "to_address"],
    from_address: ["from_address"],
    to_address: ["to_address"],
  };
  const value = subscription.type === "trades" ? "amount_usd" : "value_usd";
  return Object.entries(columns)
    .flatMap(([name, among]) => (subscription[name] === undefined ? [] : isAmong(among, subscription[name])))
    .concat(subscription.min_usd === undefined ? [] : `${value} >= ${subscription.min_usd}`)
    .concat(subscription.accepted === true ? "price_token_usd_robust_tick_1 IS NOT NULL" : []);
}

function isAmong(columns: string[], values: unknown): string {
  const list = (values as string[]).map((one) => `'${one}'`).join();
  return `(${columns.map((column) => `${column} IN (${list})`).join(" OR ")})`;
}

/**
 * Orders the columns and converts the times of a row. SQL returns the columns of `SELECT *` in another order
 * than streams, and times as text.
 */
function inFixedForm(row: Fields): Fields {
  const inOrder = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  const isTime = (name: string, value: unknown) => name.startsWith("timestamp") && typeof value === "string";
  return Object.fromEntries(
    inOrder.map(([name, value]) => [name, isTime(name, value) ? Date.parse(String(value)) / 1000 : value]),
  );
}

async function latestPrices(
  client: Reconstruction,
  { id, token_address: asked, price_type: priceType }: Fields,
  { chain, api }: Place,
): Promise<Pair> {
  const tokens = [...new Set(asked as string[])];
  const query = `chain=${chain}&token_address=${tokens}&price_type=${priceType}`;
  const expected = await api.get(`/v1/price-api/batch-latest-token-prices?${query}`);
  const states = client.statesOf(String(id));
  return [expected, tokens.map((token) => states.find(({ token_address: one }) => one === token))];
}

async function poolStates(
  client: Reconstruction,
  { id, pool_address: pools }: Fields,
  { chain, api }: Place,
): Promise<Pair> {
  const query = `chain=${chain}&pool_address=${pools}&timestamp=${client.blocks.at(-1)?.timestamp}`;
  const { data } = await api.get<{ data: unknown[] }>(`/v1/market-api/batch-latest-pool-tvl?${query}`);
  return [data, client.statesOf(String(id))];
}

async function candles(client: Reconstruction, asked: Fields, { chain, api }: Place): Promise<Pair> {
  const states = client.statesOf(String(asked.id));
  if (states.length === 0) return [[], []];
  const until = client.blocks.at(-1)?.timestamp ?? 0;
  const query = new URLSearchParams({
    chain,
    token_address: String(asked.token_address),
    interval: String(asked.interval),
    from_timestamp: String(Math.min(...states.map(({ timestamp_open: open }) => Number(open)))),
    until_timestamp: String(until),
    ...{ order: "asc", max_size: "2500", with_volume: "true" },
    ...(asked.pool_address === undefined ? {} : { pool_address: String(asked.pool_address) }),
  });
  const { data } = await api.get<{ data: Fields[] }>(`/v1/price/historical/ohlc?${query}`);
  return [
    data.map((candle) => ({ ...candle, closed: until > Number(candle.timestamp_close) })),
    states.sort((a, b) => Number(a.timestamp_open) - Number(b.timestamp_open)),
  ];
}

/**
 * Returns the first difference between two values as text; null if they are equal. For lists, names the first
 * element that differs.
 */
function firstDifference(expected: unknown, actual: unknown): string | null {
  const [want, got] = [expected, actual].map((one) => JSON.stringify(one));
  if (want === got) return null;
  if (!Array.isArray(expected) || !Array.isArray(actual)) return `${want} but got ${got}`;
  const at = expected.findIndex((one, i) => JSON.stringify(one) !== JSON.stringify(actual[i]));
  const first = at === -1 ? expected.length : at;
  const [wanted, given] = [expected[first], actual[first]].map((one) => JSON.stringify(one));
  const lengths = `${expected.length} and ${actual.length} in all`;
  return `at ${first}, ${wanted} but got ${given} (${lengths})`;
}
