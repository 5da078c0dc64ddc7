import type { FastifyInstance } from "fastify";
import type { ReadableChain } from "../../../reads/snapshot/snapshot.ts";
import { commitTrades, hexOf, type Market, openMarket, type Trade } from "../../../reads/support/market.ts";
import { ServingState } from "../../../serving/serving-state.ts";
import { type ApiOptions, createServer } from "../../http/server.ts";
import { HeldEngine } from "./held-engine.ts";

export const AT = 1_704_412_800;

export const trade = (at: number, price: number): Trade => ({ token: hexOf(1), at: AT + at, price });

/** Services that share one market, and that count and hold their statements. */
export class SqlServices {
  readonly market: Market;
  readonly #known: ReadableChain[];
  readonly #apps: FastifyInstance[] = [];

  private constructor(market: Market, known: ReadableChain[]) {
    this.market = market;
    this.#known = known;
  }

  static async open(trades: Trade[]): Promise<SqlServices> {
    const market = await openMarket(trades);
    const serving = new ServingState(2 ** 24);
    serving.startAt(await market.store.committed());
    market.store.follow(serving);
    return new SqlServices(
      market,
      market.chains.map((readable) => ({ ...readable, serving })),
    );
  }

  /**
   * @param options the chains of `market.chains` find their newest commit only by a statement; those used by
   * default also have it in memory
   */
  async start(options: Partial<ApiOptions> = {}): Promise<SqlService> {
    const engine = new HeldEngine(this.market.engine);
    // Several runs at once, although all requests are from one client.
    const limits = { clientShare: 1, rejectionDelayMs: 0, ...options.limits };
    const app = await createServer({ chains: this.#known, ...options, limits, engine });
    this.#apps.push(app);
    const ask = async (query: string, { format = "json", key = "" } = {}): Promise<SqlResponse> => {
      const headers = key === "" ? {} : { authorization: `Bearer ${key}` };
      const url = `/v1/sql?format=${format}`;
      const response = await app.inject({ method: "POST", url, headers, payload: { query } });
      return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
    };
    const arrived = async (): Promise<void> => void (await ask(""));
    return { app, engine, ask, arrived };
  }

  async extend(price: number): Promise<void> {
    const newest = await this.market.store.committed();
    const block = (newest?.blockNumber ?? 0) + 1;
    await commitTrades(this.market.store, [trade(block - 1000, price)], { firstBlock: block });
  }

  async close(): Promise<void> {
    for (const app of this.#apps) await app.close();
    await this.market.close();
  }
}

export interface SqlResponse {
  status: number;
  headers: Record<string, unknown>;
  bytes: Buffer;
}

interface SqlService {
  app: FastifyInstance;
  engine: HeldEngine;
  /** @param options `key` is the client's API key */
  ask(query: string, options?: { format?: string; key?: string }): Promise<SqlResponse>;
  /**
   * Resolves when all earlier requests have entered the queue or joined a run. To find out, it sends a later
   * request that fails.
   */
  arrived(): Promise<void>;
}
