import type { FastifyInstance } from "fastify";
import { createServer } from "../../../src/api/http/server.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import type { TableName } from "../../../src/schema/tables.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import type { Engine } from "../../../src/storage/store.ts";

/** REST responses about a chain, by request. */
export type RestAnswers = Record<string, unknown>;

interface Questions {
  /** Tokens whose candles are requested. */
  tokens: readonly string[];
  /** The pool whose candles are requested, and its token. */
  pool: { address: string; token: string };
  /** A time within the newest candle, in Unix seconds. */
  until: number;
}

const INTERVALS = ["1m", "1h"];

/** Tables whose rows name the pools, tokens and wallets of the other requests. */
const NAMING_TABLES: readonly TableName[] = ["dex_trades", "pool_metadata", "token_metadata"];

/**
 * Requests all trades, pools and tokens of a chain, candles of several intervals, prices and ticks of all
 * tokens, the performance of all wallets, and the status. Equal chains give equal responses.
 */
export async function restAnswers(engine: Engine, chain: Chain, questions: Questions): Promise<RestAnswers> {
  const store = chainCommits(engine, chain.name);
  const server = await createServer({ engine, chains: [{ chain, store }] });
  try {
    const answers: RestAnswers = {};
    for (const table of NAMING_TABLES) {
      const query = `SELECT * FROM ${chain.name}_${table} ORDER BY record_index LIMIT 100000`;
      answers[table] = await answered(server, "/v1/sql", { query });
    }
    for (const [question, parameters] of candleQuestions(questions)) {
      const url = `/v1/price/historical/ohlc?${parameters}&chain=${chain.name}`;
      answers[question] = await answered(server, url);
    }
    const token_address = (answers.token_metadata as { token_address: string }[]).map(
      (row) => row.token_address,
    );
    const body = { chain: chain.name, token_address };
    for (const [question, parameters] of listQuestions(questions)) {
      answers[question] = await answered(server, question, { ...body, ...parameters });
    }
    const wallet_address = walletsIn(answers.dex_trades);
    const { data } = (await answered(server, WALLETS, { chain: chain.name, wallet_address })) as {
      data: object;
    };
    answers[WALLETS] = Object.values(data);
    const pool_address = (answers.pool_metadata as { pool_address: string }[]).map((row) => row.pool_address);
    if (pool_address.length > 0)
      answers[POOLS] = await answered(server, POOLS, { chain: chain.name, pool_address });
    answers.status = await statusOf(server);
    return answers;
  } finally {
    await server.close();
  }
}

/** Returns the key in `RestAnswers` of the response with a token's candles. */
export function candlesOf(token: string, interval: string): string {
  return `${interval} candles of ${token}`;
}

function candleQuestions({ tokens, pool, until }: Questions): [question: string, parameters: string][] {
  return INTERVALS.flatMap((interval): [string, string][] => {
    const common = `interval=${interval}&until_timestamp=${until}&max_size=500`;
    const inPool = `token_address=${pool.token}&pool_address=${pool.address}&open_method=first_trade&fill=false`;
    return [
      ...tokens.map((token): [string, string] => [
        candlesOf(token, interval),
        `token_address=${token}&${common}&with_volume=true`,
      ]),
      [`${interval} candles of a pool`, `${inPool}&${common}`],
    ];
  });
}

const POOLS = "/v1/market-api/batch-latest-pool-tvl";
const WALLETS = "/v1/wallet-api/batch-latest-total-performance";

function walletsIn(trades: unknown): string[] {
  return [...new Set((trades as { trader_address: string }[]).map((trade) => trade.trader_address))];
}

/** Returns the paths and parameters of the requests about all tokens. */
function listQuestions({ until }: Questions): [path: string, parameters: object][] {
  return [
    ["/v1/price-api/batch-latest-token-prices", {}],
    ["/v1/price-api/batch-all-time-ohlc", {}],
    ["/v1/price-api/batch-latest-price-change", { timestamp: until, lookback: "1h" }],
    ["/v1/price/historical/tick", { until_timestamp: until, size: 10_000 }],
  ];
}

/** Returns the status fields that depend only on the indexed blocks, not on the clock or the chain's name. */
async function statusOf(server: FastifyInstance): Promise<unknown> {
  const { chains } = (await answered(server, "/v1/status")) as { chains: Record<string, unknown>[] };
  const { first_block, indexed_block, indexed_timestamp, rows, ready } = chains[0] ?? {};
  return { first_block, indexed_block, indexed_timestamp, rows, ready };
}

async function answered(server: FastifyInstance, url: string, body?: object): Promise<unknown> {
  const method = body === undefined ? "GET" : "POST";
  const response = await server.inject({ method, url, ...(body === undefined ? {} : { payload: body }) });
  if (response.statusCode !== 200)
    throw new Error(`${method} ${url}: ${response.statusCode} ${response.body}`);
  return response.json();
}
