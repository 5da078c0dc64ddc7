import { answerExpression } from "../../engine-sql/column-types.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { ENTRY_BYTES } from "../../serving/cache/keyed-cache.ts";
import { MAX_EXTREMES_BYTES } from "../../serving/tokens/price-extremes.ts";
import { readSnapshot } from "../snapshot/snapshot.ts";
import { type FillSource, fillMisses, NOTHING_FILLED } from "./fill-misses.ts";

/**
 * Number of tokens read at a time: this takes a tenth of a second, so that other questions get their turn.
 */
const TOKENS_PER_READ = 5_000;

/**
 * Loads the prices and the metadata of the most recently traded tokens into the serving state, as many as
 * fit.
 *
 * @returns the number of tokens
 * @throws StateOutdated, ReorganizedDuringRead, and whatever the statements throw
 */
export async function loadTokens(source: FillSource): Promise<number> {
  const { serving } = source.readable;
  if (serving === undefined) return 0;
  const room = Math.floor(serving.parts.robustPrices.maxBytes / (MAX_EXTREMES_BYTES + ENTRY_BYTES));
  const tokens = await recentTokens(source, room);
  for (const part of partsOf(tokens, TOKENS_PER_READ)) {
    const keys = new Set<string>(part);
    const misses = new Map(
      (["tickPrices", "robustPrices", "tokenFacts"] as const).map((name) => [name, keys]),
    );
    if (serving.commit === null) throw new StateOutdated(source.readable.chain.name);
    await fillMisses(source, { serving, commit: serving.commit }, misses, NOTHING_FILLED);
  }
  return tokens.length;
}

/** Reads tokens in the order of their newest trade, newest first. */
async function recentTokens({ reader, readable, limits }: FillSource, count: number): Promise<Hex[]> {
  const { answer } = await readSnapshot(reader, readable.chain.name, limits, (snapshot) =>
    snapshot.query<{ token: Hex }>(
      sql`SELECT ${answerExpression("address", sql`token_address`, "rest")} AS token FROM
        ${snapshot.table("dex_trades")} WHERE block_number <= ${integer(snapshot.commit.blockNumber)}
        GROUP BY token_address ORDER BY max(timestamp) DESC LIMIT ${integer(count)}`,
    ),
  );
  return answer.map(({ token }) => token);
}

class StateOutdated extends BaseError {
  constructor(chain: string) {
    super("not-ready", `The data of chain ${chain} in memory may lack the newest commits.`, {
      retryable: true,
    });
  }
}
