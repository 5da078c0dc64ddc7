import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { answerLater, answerNow, type ServedQuestion } from "../../reads/served/served.ts";
import { type QueryLimits, type Reader, readableChain } from "../../reads/snapshot/snapshot.ts";
import type { Commit } from "../../storage/store.ts";
import type { AskedState, LoadedState, StateItem, StateQuestion } from "../../streams/state.ts";
import { DEFAULT_LIMITS } from "../admission/limits.ts";
import { jsonOf } from "../answers/json-text.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { batchLatestPoolTvl } from "../endpoints/pools/batch-latest-pool-tvl.ts";
import { batchLatestTokenPrices } from "../endpoints/prices/batch-latest-token-prices.ts";
import { ohlc } from "../endpoints/prices/ohlc.ts";
import { readParameters } from "../parameters/parameter.ts";
import type { StateQuery } from "../subscriptions/state-query.ts";

/** Maximum number of candles in one answer, the same as the endpoint's. The newest are kept. */
const MAX_CANDLES = 2_500;

/** Maximum number of states read together. */
const MAX_BATCH = 1_000;

type Fields = Record<string, unknown>;

/** Reads the states of one chain in the same way as the endpoints. */
export class StateQuestions {
  readonly #reader: Reader;
  readonly #chain: string;

  constructor(reader: Reader, chain: string) {
    this.#reader = reader;
    this.#chain = chain;
  }

  questionOf(query: StateQuery): StateQuestion {
    return {
      key: JSON.stringify(query),
      subjects: () => ("token" in query ? [query.token] : this.#subjectsOf(query.pool)),
      intervalSeconds: query.kind === "candles" ? query.interval : null,
      now: (commit, from) => {
        const answer = answerNow(this.#reader, this.#ask([query], from, commit));
        return answer === null || answer.asOf?.sequence !== commit.sequence
          ? null
          : (itemsOf(query.kind, answer.answer, commit)[0] ?? []);
      },
    };
  }

  /**
   * Returns the pool and its tokens, because its value also changes with their prices; null while its state
   * is not in memory.
   */
  #subjectsOf(pool: Hex): readonly string[] | null {
    const state = readableChain(this.#reader, this.#chain).serving?.parts.pools.get(pool);
    if (state === undefined) return null;
    if (state === null) return [pool];
    return [pool, state.token0, state.token1, ...state.tokens.filter((token) => token !== null)];
  }

  /**
   * Returns states by the key of their question; reads states that are not in memory from the store. Prices
   * and pools are read in batches, as in the batch endpoints.
   */
  async load(
    asked: readonly AskedState[],
    limits: QueryLimits,
    commit: Commit,
  ): Promise<Map<string, LoadedState>> {
    const loaded = new Map<string, LoadedState>();
    const { sequence: requestedAt } = commit;
    for (const batch of batchesOf(asked)) {
      limits.signal?.throwIfAborted();
      const queries = batch.map(({ question }) => JSON.parse(question.key) as StateQuery);
      const [query] = queries;
      if (query === undefined) continue;
      const question = this.#ask(queries, batch[0]?.from ?? null, commit);
      const { answer, asOf } = await answerLater(this.#reader, question, limits);
      const items = itemsOf(query.kind, answer, asOf ?? commit);
      batch.forEach(({ question: { key } }, i) => {
        loaded.set(key, { items: items[i] ?? [], requestedAt, readAt: asOf?.sequence ?? 0 });
      });
    }
    return loaded;
  }

  /** @param queries of the same kind and price type; a candle query must be the only one */
  #ask(queries: readonly StateQuery[], from: number | null, commit: Commit): ServedQuestion<unknown> {
    const [query] = queries;
    const chain = this.#chain;
    switch (query?.kind) {
      case "price":
        return this.#question(batchLatestTokenPrices, commit, {
          chain,
          token_address: queries.map((one) => (one.kind === "price" ? one.token : "")),
          price_type: query.priceType,
        });
      case "pool":
        return this.#question(batchLatestPoolTvl, commit, {
          chain,
          pool_address: queries.map((one) => (one.kind === "pool" ? one.pool : "")),
          timestamp: commit.timestamp,
        });
      default:
        return this.#question(ohlc, commit, candleFields(chain, query as CandleQuery, from, commit));
    }
  }

  #question(endpoint: Endpoint, { timestamp }: Commit, given: Fields): ServedQuestion<unknown> {
    if (!("question" in endpoint)) throw new BaseError("internal", `${endpoint.name} is not a question`);
    const values = readParameters(endpoint.parameters, given, {
      method: "POST",
      now: timestamp,
      chains: [this.#chain],
    });
    const call = {
      reader: this.#reader,
      limits: DEFAULT_LIMITS,
      now: timestamp,
      client: () => "",
      indexing: () => null,
      sentAges: () => null,
    };
    return endpoint.question(values, call);
  }
}

type CandleQuery = Extract<StateQuery, { kind: "candles" }>;

function candleFields(
  chain: string,
  { token, pool, interval, priceType }: CandleQuery,
  from: number | null,
  commit: Commit,
): Fields {
  return {
    chain,
    token_address: token,
    pool_address: pool,
    interval: `${interval / 60}m`,
    price_type: priceType,
    from_timestamp: from ?? 0,
    until_timestamp: commit.timestamp,
    max_size: from === null ? 1 : MAX_CANDLES,
    order: "desc",
    with_volume: true,
  };
}

/**
 * Returns the values of each query in an answer as of a commit, with candles oldest first. Drops candles that
 * open after the commit: an answer may have them if a rollback happened between the request and the read.
 */
function itemsOf(
  kind: StateQuery["kind"],
  answer: unknown,
  { timestamp }: Pick<Commit, "timestamp">,
): StateItem[][] {
  const body = JSON.parse(jsonOf(answer)) as Fields[] | { data: Fields[] };
  const listed = Array.isArray(body) ? body : body.data;
  if (kind !== "candles") return listed.map((one) => [{ json: JSON.stringify(one), opensAt: null }]);
  const candles = listed.map((candle) => ({
    json: JSON.stringify({ ...candle, closed: timestamp > Number(candle.timestamp_close) }),
    opensAt: Number(candle.timestamp_open),
  }));
  return [candles.filter(({ opensAt }) => opensAt <= timestamp).sort((a, b) => a.opensAt - b.opensAt)];
}

function batchesOf(asked: readonly AskedState[]): AskedState[][] {
  const batches = new Map<string, AskedState[]>();
  for (const one of withoutRepeats(asked)) {
    const query = JSON.parse(one.question.key) as StateQuery;
    const name =
      query.kind === "candles" ? one.question.key : query.kind === "price" ? query.priceType : query.kind;
    const batch = batches.get(name) ?? [];
    batches.set(name, batch);
    batch.push(one);
  }
  return [...batches.values()].flatMap((batch) =>
    Array.from({ length: Math.ceil(batch.length / MAX_BATCH) }, (_, i) =>
      batch.slice(i * MAX_BATCH, (i + 1) * MAX_BATCH),
    ),
  );
}

/**
 * Returns each question once, with the earliest requested start, because an endpoint returns one item for a
 * repeated address.
 */
function withoutRepeats(asked: readonly AskedState[]): Iterable<AskedState> {
  const byKey = new Map<string, AskedState>();
  for (const one of asked) {
    const { from } = byKey.get(one.question.key) ?? one;
    const isEarlier = one.from !== null && from !== null && one.from < from;
    byKey.set(one.question.key, { ...one, from: isEarlier ? one.from : from });
  }
  return byKey.values();
}
