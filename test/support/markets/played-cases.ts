import type { FastifyInstance } from "fastify";
import { devnetChain } from "../../../devnet/chain.ts";
import { USDC, WETH } from "../../../devnet/market/tokens.ts";
import { createServer } from "../../../src/api/http/server.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import { indexBlocks } from "../engine/index-blocks.ts";
import { temporaryFolder } from "../processes/processes.ts";
import type { LabelledTrade, Opening } from "./amm-market.ts";
import { type DexNode, type Order, type RealToken, startDexNode, tokenAddress } from "./dex-node.ts";
import { OwnPool, openingOrder, type Quote, RealPair, type RealPool, RealWidePool } from "./real-pools.ts";

/** A variant of a labelled case, to be traded in pools of the real contracts. */
export interface Play {
  trades: readonly LabelledTrade[];
  /** True if the token keeps 1 % of each transfer. */
  isTaxed?: boolean;
}

/** A played case as stored in the index. */
export interface PlayReport {
  token: Hex;
  /** The trades of the play, with the prices and values from the index. */
  trades: LabelledTrade[];
  /** For each trade, whether it has a robust price. */
  verdicts: boolean[];
}

/** Queries the served index like a client. */
export interface Served {
  chain: Chain;
  sql<R>(query: string): Promise<R[]>;
  get<R>(path: string): Promise<R>;
  close(): Promise<void>;
}

const GENESIS_TIME = 1_699_990_000;
const BLOCK_SECONDS = 12;
const OPENINGS_A_BLOCK = 4;
/**
 * Ether trades again if its last trade was at least this many seconds ago, because its price expires after an
 * hour without trades.
 */
const ETHER_TRADE_SECONDS = 1_200;
const OWN_POOL_GAS = 1_000_000;
const POOL_GAS = 250_000;
const DECIMALS = [18, 8, 6];
const ETHER_USD = 2000;
const DOLLAR: Quote = { address: USDC.address, decimals: USDC.decimals, usd: 1 };
const ETHER: Quote = { address: WETH.address, decimals: WETH.decimals, usd: ETHER_USD };
/** The pool whose trades set the price of ether. */
const ETHER_POOL = new OwnPool({ token: { ...WETH, like: "Token" }, quote: DOLLAR }, ETHER_USD);

/**
 * Plays all cases at the same time on one node, and indexes the node's chain. Verifies every block and prices
 * every trade.
 */
export async function playCases(plays: readonly Play[]): Promise<{ served: Served; reported: PlayReport[] }> {
  const stages = plays.map((play, number) => new Stage(play, number));
  const node = await startDexNode(
    stages.map(({ token }) => token),
    GENESIS_TIME,
  );
  try {
    await open(node, stages);
    let etherTraded = node.head().timestamp;
    for (const [timestamp, orders] of schedule(stages)) {
      const isDue = timestamp - etherTraded >= ETHER_TRADE_SECONDS && node.head().timestamp < timestamp - 1;
      if (isDue) {
        etherTraded = timestamp - 1;
        await node.mine(etherTraded, [etherTrade()]);
      }
      await node.mine(timestamp, orders);
    }
    const chain = { ...devnetChain(), name: "played", referencePools: [ETHER_POOL.address] };
    const served = await serveIndex(node, chain);
    try {
      return { served, reported: await Promise.all(stages.map((stage) => stage.report(served, node))) };
    } catch (error) {
      await served.close();
      throw error;
    }
  } finally {
    await node.stop();
  }
}

async function open(node: DexNode, stages: readonly Stage[]): Promise<void> {
  const orders = [ETHER_POOL, ...stages.flatMap(({ pools }) => pools)].map(openingOrder);
  for (let from = 0; from < orders.length; from += OPENINGS_A_BLOCK) {
    await node.mine(node.head().timestamp + BLOCK_SECONDS, orders.slice(from, from + OPENINGS_A_BLOCK));
  }
  await node.mine(node.head().timestamp + BLOCK_SECONDS, [etherTrade()]);
}

function etherTrade(): Order {
  const calls = ETHER_POOL.trade({ price: ETHER_USD, usd: 10_000, buys: true });
  return { trader: 0, calls, gas: OWN_POOL_GAS };
}

/** Groups the orders of all plays by time. */
function schedule(stages: readonly Stage[]): [timestamp: number, orders: Order[]][] {
  const blocks = new Map<number, Order[]>();
  for (const stage of stages) {
    for (const [timestamp, order] of stage.orders()) {
      const orders = blocks.get(timestamp) ?? [];
      orders.push(order);
      blocks.set(timestamp, orders);
    }
  }
  return [...blocks].sort(([a], [b]) => a - b);
}

/** The token of one played case, its pools, and the orders in them. */
class Stage {
  readonly token: RealToken;
  readonly #play: Play;
  readonly #pools = new Map<Opening | undefined, RealPool>();

  constructor(play: Play, number: number) {
    const decimals = DECIMALS[number % DECIMALS.length] ?? 18;
    this.token = {
      address: tokenAddress(number),
      decimals,
      like: play.isTaxed === true ? "TaxedToken" : "Token",
    };
    this.#play = play;
    const pairing = { token: this.token, quote: number % 2 === 0 ? DOLLAR : ETHER };
    for (const { made, price } of play.trades) {
      if (this.#pools.has(made?.by)) continue;
      const hasPair = [...this.#pools.values()].some((pool) => pool instanceof RealPair);
      if (made === undefined) this.#pools.set(undefined, new OwnPool(pairing, price));
      else if (made.by.fee === 0.003 && !hasPair) this.#pools.set(made.by, new RealPair(pairing, made.by));
      else this.#pools.set(made.by, new RealWidePool(pairing, made.by));
    }
  }

  get pools(): RealPool[] {
    return [...this.#pools.values()];
  }

  /** Yields the transactions of the play, in order. */
  *orders(): Generator<[timestamp: number, order: Order]> {
    const { trades } = this.#play;
    for (let from = 0; from < trades.length; ) {
      const first = trades[from];
      if (first === undefined) return;
      const found = trades.findIndex(({ transaction }, i) => i > from && transaction !== first.transaction);
      const until = found === -1 ? trades.length : found;
      const together = trades.slice(from, until);
      const calls = together.flatMap((trade) => this.#poolOf(trade).trade(trade));
      const gas = first.made === undefined ? OWN_POOL_GAS : together.length ** 2 * POOL_GAS;
      yield [first.timestamp, { trader: first.trader, calls, gas }];
      from = until;
    }
  }

  async report(served: Served, node: DexNode): Promise<PlayReport> {
    const { address } = this.token;
    const rows = await served.sql<TradeRow>(
      `SELECT trader_address AS trader, pool_address AS pool, side, amount_usd AS usd,
        price_token_usd_tick_1 AS price, price_token_usd_robust_tick_1 AS robust
       FROM ${served.chain.name}_dex_trades WHERE token_address = '${address}'
       ORDER BY record_index LIMIT 100000`,
    );
    const trades = this.#play.trades.map((trade, i) => {
      const { price, usd, pool, trader, side } = rows[i] ?? {};
      const expected = [
        this.#poolOf(trade).address,
        node.addressOf(trade.trader),
        trade.buys ? "buy" : "sell",
      ];
      if ([pool, trader, side].join() !== expected.join() || price == null || usd == null) {
        throw new Error(`trade ${i} of ${address} is ${JSON.stringify(rows[i])}, not ${expected}`);
      }
      return { ...trade, price, usd };
    });
    if (rows.length !== trades.length) throw new Error(`${rows.length} trades, not ${trades.length}`);
    return { token: address, trades, verdicts: rows.map(({ robust }) => robust !== null) };
  }

  #poolOf({ made }: LabelledTrade): RealPool {
    const pool = this.#pools.get(made?.by);
    if (pool === undefined) throw new Error("a trade in a pool that was not opened");
    return pool;
  }
}

interface TradeRow {
  trader: Hex;
  pool: Hex;
  side: string;
  usd: number | null;
  price: number | null;
  robust: number | null;
}

/** Indexes the node's whole chain and serves it. */
export async function serveIndex(node: DexNode, chain: Chain): Promise<Served> {
  const folder = temporaryFolder();
  const engine = await openEmbeddedEngine({ path: folder.path });
  try {
    await indexBlocks(engine, chain, { url: node.url, to: node.head().number });
  } catch (error) {
    await engine.close();
    throw error;
  }
  const server = await createServer({
    engine,
    chains: [{ chain, store: chainCommits(engine, chain.name) }],
    // All cases are read at once, which takes longer than a client usually waits.
    limits: { waitMs: 240_000 },
  });
  return {
    chain,
    sql: (query) => answered(server, "/v1/sql", { query }),
    get: (path) => answered(server, path),
    close: async () => {
      await server.close();
      await engine.close();
      folder.remove();
    },
  };
}

async function answered<R>(server: FastifyInstance, url: string, payload?: object): Promise<R> {
  const response = await server.inject(
    payload === undefined ? { method: "GET", url } : { method: "POST", url, payload },
  );
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${response.body}`);
  return response.json() as R;
}
