import type { Sql } from "../../../src/engine-sql/sql-text.ts";
import type { Commit, Engine } from "../../../src/storage/store.ts";
import { Random } from "../../serving/random.ts";
import { eventsOf, type ServerEvent } from "./event-reader.ts";

type Fields = Record<string, unknown>;

const WAIT_MS = 100;
const MAX_WAITS = 600;

const TABLES: Record<string, { table: string; block: string }> = {
  trades: { table: "dex_trades", block: "block_number" },
  pools: { table: "pool_metadata", block: "first_seen_block_number" },
  tokens: { table: "token_metadata", block: "first_seen_block_number" },
  blocks: { table: "blocks", block: "block_number" },
};

/** A client that reads a stream, loses its connection at random, and resumes at a random service. */
export class RandomClient {
  readonly #subscriptions: Fields[];
  readonly #random: Random;
  readonly #urls: () => string[];
  #abort = new AbortController();
  #isEnded = false;
  #lastId: string | null = null;
  /** The blocks since the snapshot, starting with the snapshot's block. */
  #blocks: { number: number; hash: string; timestamp: number }[] = [];
  readonly #rows = new Map<string, { block: number; record: number }[]>();
  readonly #states = new Map<string, Map<string, Fields>>();
  readonly #faults: string[] = [];
  connections = 0;
  rollbacks = 0;

  constructor(subscriptions: Fields[], seed: number, urls: () => string[]) {
    this.#subscriptions = subscriptions;
    this.#random = new Random(seed);
    this.#urls = urls;
  }

  async run(): Promise<void> {
    while (!this.#isEnded) {
      this.#abort = new AbortController();
      this.connections++;
      const headers: Record<string, string> = { "content-type": "application/json" };
      if (this.#lastId !== null) headers["last-event-id"] = this.#lastId;
      const body = JSON.stringify({ subscriptions: this.#subscriptions });
      const url = `${this.#random.pick(this.#urls())}/v1/stream`;
      try {
        for await (const event of eventsOf(url, {
          method: "POST",
          headers,
          body,
          signal: this.#abort.signal,
        }))
          this.#take(event);
      } catch (error) {
        const { message } = error as Error;
        // On a busy machine, a request may take longer to arrive than the service waits. It is then repeated.
        if (message.startsWith("4") && !message.startsWith("408")) this.#faults.push(message);
      }
      await new Promise((resolve) => setTimeout(resolve, this.#random.below(50)));
    }
  }

  disconnect(): void {
    this.#abort.abort();
  }

  end(): void {
    this.#isEnded = true;
    this.#abort.abort();
  }

  /** Resolves when the client has received a commit's block. */
  async reaches({ blockNumber, blockHash }: Commit): Promise<void> {
    for (let waits = 0; this.#blocks.at(-1)?.hash !== blockHash; waits++) {
      const at = this.#blocks.at(-1)?.number;
      if (waits === MAX_WAITS)
        throw new Error(`a client is at block ${at}, not at ${blockNumber}: ${this.#faults}`);
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }

  /**
   * Returns the differences from the tables and the endpoints that remain after the states had time to follow
   * the newest block.
   */
  async lastingDifferences(engine: Engine, answer: (url: string) => Promise<unknown>): Promise<string[]> {
    for (let waits = 0; ; waits++) {
      const found = await this.#differences(engine, answer);
      if (found.length === 0 || this.#faults.length > 0 || waits === MAX_WAITS) return found;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }

  async #differences(engine: Engine, answer: (url: string) => Promise<unknown>): Promise<string[]> {
    const found = [...this.#faults];
    for (const subscription of this.#subscriptions) {
      const { id, type } = subscription as { id: string; type: string };
      const isState = ["prices", "candles", "pool_state"].includes(type);
      const [expected, actual] = isState
        ? await this.#stateOf(subscription, answer)
        : [await this.#rowsOf(engine, subscription), (this.#rows.get(id) ?? []).map(({ record }) => record)];
      const difference = firstDifference(expected, actual);
      if (difference !== null)
        found.push(`${JSON.stringify(subscription)} from block ${this.#blocks[0]?.number}: ${difference}`);
    }
    return found;
  }

  #take({ id, event, data }: ServerEvent): void {
    if (id !== null) {
      if (event === "block" && id === this.#lastId) this.#faults.push(`${id} came twice`);
      this.#lastId = id;
    }
    const block = { number: Number(data.block), hash: String(data.hash), timestamp: Number(data.timestamp) };
    if (event === "snapshot") this.#blocks = [block];
    if (event === "reset") this.#reset(String(data.reason));
    if (event === "rollback") this.#rollback(block);
    if (event === "block") this.#extend(block);
    for (const [name, values] of Object.entries((data.data ?? {}) as Record<string, Fields[]>))
      this.#keep(name, values, block.number);
  }

  /**
   * A reset is a fault: the service can find every block that the client has received, so the stream never
   * needs to start again.
   */
  #reset(reason: string): void {
    this.#faults.push(`the stream was reset: ${reason}`);
    this.#lastId = null;
  }

  #extend(block: { number: number; hash: string; timestamp: number }): void {
    const before = this.#blocks.at(-1)?.number;
    if (before !== block.number - 1) this.#faults.push(`block ${block.number} after ${before}`);
    this.#blocks.push(block);
  }

  #rollback(to: { number: number; hash: string; timestamp: number }): void {
    this.rollbacks++;
    const [first] = this.#blocks;
    // If the rollback goes below the snapshot, no rows remain: the client's rows began after the snapshot's
    // block.
    this.#blocks =
      first !== undefined && to.number < first.number
        ? [to]
        : this.#blocks.filter(({ number }) => number <= to.number);
    if (this.#blocks.at(-1)?.hash !== to.hash)
      this.#faults.push(`rolled back to ${to.hash}, which was not streamed`);
    for (const [id, rows] of this.#rows)
      this.#rows.set(
        id,
        rows.filter(({ block }) => block <= to.number),
      );
    for (const values of this.#states.values())
      for (const [key, { timestamp_close: close }] of values)
        if (Number(close) >= to.timestamp) values.delete(key);
  }

  #keep(id: string, values: Fields[], block: number): void {
    for (const value of values) {
      if ("record_index" in value) {
        const rows = this.#rows.get(id) ?? [];
        this.#rows.set(id, rows);
        rows.push({ block, record: Number(value.record_index) });
      } else {
        const states = this.#states.get(id) ?? new Map<string, Fields>();
        this.#states.set(id, states);
        states.set(String(value.timestamp_open ?? value.pool_address ?? value.token_address), value);
      }
    }
  }

  async #rowsOf(engine: Engine, subscription: Fields): Promise<number[]> {
    const {
      type,
      standard,
      min_usd: minUsd,
      accepted,
    } = subscription as { type: string; standard: string; min_usd?: number; accepted?: boolean };
    const { table, block } = TABLES[type] ?? { table: standard, block: "block_number" };
    const isAmong = (columns: string[], values: unknown) =>
      values === undefined
        ? "1"
        : `(${columns.map((column) => `lower(concat('0x', hex(${column}))) IN (${(values as string[]).map((one) => `'${one}'`)})`).join(" OR ")})`;
    const where = [
      `${block} > ${this.#blocks[0]?.number}`,
      isAmong(
        ["token_address"],
        type === "trades" || type === "transfers" ? subscription.token_address : undefined,
      ),
      isAmong(["pool_address"], subscription.pool_address),
      isAmong(["trader_address"], subscription.trader_address),
      isAmong(["from_address", "to_address"], subscription.wallet_address),
      minUsd === undefined ? "1" : `amount_usd >= ${minUsd}`,
      accepted === true ? "price_token_usd_robust_tick_1 IS NOT NULL" : "1",
    ];
    const statement = `SELECT record_index FROM eth_${table} WHERE ${where.join(" AND ")} ORDER BY record_index`;
    const rows = await engine.query<{ record_index: number | string }>(statement as Sql);
    return rows.map(({ record_index: record }) => Number(record));
  }

  async #stateOf(
    subscription: Fields,
    answer: (url: string) => Promise<unknown>,
  ): Promise<[unknown, unknown]> {
    const { id, type } = subscription as { id: string; type: string };
    const states = [...(this.#states.get(id)?.values() ?? [])];
    if (type === "prices") {
      const tokens = [...new Set(subscription.token_address as string[])];
      const expected = await answer(
        `/v1/price-api/batch-latest-token-prices?token_address=${tokens}&price_type=${subscription.price_type}`,
      );
      return [expected, tokens.map((token) => states.find(({ token_address: one }) => one === token))];
    }
    const until = this.#blocks.at(-1)?.timestamp ?? 0;
    if (type === "pool_state") {
      const { data } = (await answer(
        `/v1/market-api/batch-latest-pool-tvl?pool_address=${subscription.pool_address}&timestamp=${until}`,
      )) as { data: unknown[] };
      return [data, states];
    }
    const [first] = states;
    if (first === undefined) return [[], []];
    const oldest = Math.min(...states.map(({ timestamp_open: open }) => Number(open)));
    const query = `token_address=${subscription.token_address}&interval=${subscription.interval}&from_timestamp=${oldest}&until_timestamp=${until}`;
    const { data } = (await answer(
      `/v1/price/historical/ohlc?${query}&order=asc&max_size=2500&with_volume=true`,
    )) as { data: Fields[] };
    const expected = data.map((candle) => ({ ...candle, closed: until > Number(candle.timestamp_close) }));
    return [expected, states.sort((a, b) => Number(a.timestamp_open) - Number(b.timestamp_open))];
  }
}

/** Returns null if two values are equal. For lists, names the first element that differs. */
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
