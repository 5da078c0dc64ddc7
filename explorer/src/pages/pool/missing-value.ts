import type { PoolTvl } from "@quarry/sdk";
import { tokenName } from "../../format/pool.ts";
import type { Pool, PoolToken } from "../../queries/pool/pool.ts";

/** The reasons why a pool's value is unknown; empty if it is known. */
export function missingValueReasons(pool: Pool, tvl: PoolTvl | null): string[] {
  const [first, second] = pool.tokens;
  const reasons = [
    ...sideReasons(pool, first, { balance: tvl?.token_0_balance, price: tvl?.token_0_price_usd }),
    ...sideReasons(pool, second, { balance: tvl?.token_1_balance, price: tvl?.token_1_price_usd }),
  ];
  const isOther = reasons.length === 0 && tvl?.tvl_usd === null;
  return isOther
    ? ["The pool has other tokens, and the balance or the price of one of them is unknown."]
    : reasons;
}

type Optional = number | null | undefined;

function sideReasons(pool: Pool, token: PoolToken, side: { balance: Optional; price: Optional }): string[] {
  const name = tokenName(token);
  const reasons: string[] = [];
  if (side.balance == null) reasons.push(balanceReason(pool, token));
  if (side.price == null)
    reasons.push(
      `${name} has no robust price: it has no trade of at least 1 US dollar that is not an outlier.`,
    );
  return reasons;
}

function balanceReason({ created }: Pool, token: PoolToken): string {
  const name = tokenName(token);
  if (token.decimals === null) return `${name} has no decimals, so the size of one ${name} is unknown.`;
  if (created === null) {
    return `The index starts after the pool's creation, so the pool's ${name} balance is unknown without earlier transfers.`;
  }
  return `The ${name} balance cannot be derived from transfers, because the token changes balances without them, or because the pool does not hold it as a token.`;
}
