import type { PoolTvl } from "@quarry/sdk";
import { tokenName } from "../../format/pool.ts";
import type { Pool, PoolToken } from "../../queries/pool/pool.ts";

/** Why the value of a pool is not known, a sentence for each thing that is missing; empty where it is known. */
export function missingValueReasons(pool: Pool, tvl: PoolTvl | null): string[] {
  const [first, second] = pool.tokens;
  return [
    ...whySideUnknown(pool, first, { balance: tvl?.token_0_balance, price: tvl?.token_0_price_usd }),
    ...whySideUnknown(pool, second, { balance: tvl?.token_1_balance, price: tvl?.token_1_price_usd }),
  ];
}

type Known = number | null | undefined;

function whySideUnknown(pool: Pool, token: PoolToken, side: { balance: Known; price: Known }): string[] {
  const name = tokenName(token);
  const reasons: string[] = [];
  if (side.balance == null) reasons.push(whyBalanceUnknown(pool, token));
  if (side.price == null)
    reasons.push(`${name} had no robust price: no trade of it that is no outlier is worth 1 USD.`);
  return reasons;
}

function whyBalanceUnknown({ created }: Pool, token: PoolToken): string {
  const name = tokenName(token);
  if (token.decimals === null)
    return `${name} does not tell its decimals, so nobody knows what a whole ${name} is.`;
  if (created === null) {
    return `The index begins after this pool was made: without the earlier transfers its balance of ${name} is not known.`;
  }
  return `Transfers do not tell the balance of ${name}: that token changes balances by other means.`;
}
