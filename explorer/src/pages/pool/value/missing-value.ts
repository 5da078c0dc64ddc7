import type { PoolTvl } from "@quarry/sdk";
import { tokenName } from "../../../format/pool.ts";
import type { Pool, PoolToken } from "../../../queries/pool/pool.ts";
import type { PoolBalance } from "../../../queries/pool/pool-balance.ts";

/** Returns the reasons why a pool's value is unknown; empty if it is known. */
export function missingValueReasons(
  pool: Pool,
  tvl: PoolTvl | null,
  balances: readonly PoolBalance[],
): string[] {
  if (tvl !== null && tvl.tvl_usd !== null) return [];
  const reasons = [...balanceReasons(pool, balances), ...balances.flatMap(priceReasons)];
  if (pool.hasUnknownTokens) reasons.push("The pool has tokens that have not appeared in a swap yet.");
  const isOther = reasons.length === 0 && tvl !== null;
  return isOther ? ["The balance or the price of another token is unknown."] : reasons;
}

/**
 * Returns one reason per token without a balance, or a single reason if all tokens lack a balance for the
 * same reason.
 */
function balanceReasons(pool: Pool, balances: readonly PoolBalance[]): string[] {
  const unknown = balances.filter(({ balance }) => balance === null).flatMap(({ tokens }) => tokens);
  const isHeldElsewhere =
    unknown.length === balances.length &&
    pool.created !== null &&
    unknown.every(({ decimals }) => decimals !== null);
  if (isHeldElsewhere && unknown.length > 0) {
    return [
      "The balances cannot be derived from transfers, because the pool does not hold its tokens itself, or because the tokens' balances change without transfers.",
    ];
  }
  return unknown.flatMap((token) => balanceReason(pool, token) ?? []);
}

function priceReasons({ tokens: [token], price }: PoolBalance): string[] {
  if (price !== null) return [];
  return [
    `${tokenName(token)} has no robust price: it has no trade of at least 1 US dollar that is not an outlier.`,
  ];
}

function balanceReason({ created, tokens: [first, second] }: Pool, token: PoolToken): string | null {
  const name = tokenName(token);
  if (token.decimals === null) return `${name} has no decimals, so the size of one ${name} is unknown.`;
  // The API includes the balances of the other tokens in the total value, but does not report them.
  if (token !== first && token !== second) return null;
  if (created === null) {
    return `The index starts after the pool's creation, so earlier transfers are missing and the pool's ${name} balance is unknown.`;
  }
  return `The ${name} balance cannot be derived from transfers, because the token's balances change without transfers, or because the pool does not hold it as a token.`;
}
