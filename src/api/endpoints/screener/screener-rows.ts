import { z } from "zod";
import type { ScreenRow } from "../../../reads/screener/screen-list.ts";
import { POOL_FIELDS, SPAM_FIELD, TOKEN_FIELDS } from "../search/listed-fields.ts";

const FIGURES = {
  volume_usd: z
    .number()
    .nullable()
    .describe("volume in the window, USD; null if the value of every trade is unknown"),
  trades: z.int().describe("trades in the window; a swap in a pool counts once"),
  traders: z.int().describe("distinct senders of the transactions with these trades"),
  price_usd: z.number().nullable().describe("latest robust price, USD per token"),
  price_change_pct: z
    .number()
    .nullable()
    .describe("change of the robust price over the window, as in batch-latest-price-change"),
};

const tokenRow = z.strictObject({
  ...TOKEN_FIELDS,
  ...FIGURES,
  pools: z.int().describe("pools in which it was traded in the window"),
  main_pool_address: z
    .string()
    .nullable()
    .describe("pool in which it had the highest volume in the window; null without trades"),
  liquidity_usd: z.number().nullable().describe("value of all tokens in that pool, USD; null if unknown"),
  created_timestamp: z
    .int()
    .nullable()
    .describe("time of the first indexed block with a transfer or a pool of the token, unix seconds"),
  ...SPAM_FIELD,
});

const poolRow = z.strictObject({
  ...POOL_FIELDS,
  priced_token_address: z
    .string()
    .nullable()
    .describe("token whose price is shown: the first that is not cash, or else the wrapped native coin"),
  ...FIGURES,
  liquidity_usd: z.number().nullable().describe("value of all its tokens, USD; null if unknown"),
  created_timestamp: z
    .int()
    .nullable()
    .describe("unix seconds; null for a pool older than the first indexed block"),
  ...SPAM_FIELD,
});

export const screenerAnswer = z.strictObject({
  tokens: z.array(tokenRow).describe("empty for kind=pool"),
  pools: z.array(poolRow).describe("empty for kind=token"),
  total: z.int().describe("number of rows in the whole list, at most 500 per chain"),
  hidden_spam: z.int().describe("rows that were left out because they are spam"),
  hidden_wash: z.int().describe("rows that were left out because all their trades are wash trades"),
  limited: z
    .boolean()
    .describe(
      "true: more than 500 tokens or pools of a chain meet the filters on volume, trades, traders, age, protocol and tokens; the list was made from the first 500 of them",
    ),
});

export type ScreenerAnswer = z.infer<typeof screenerAnswer>;

export function presentToken(row: ScreenRow): z.infer<typeof tokenRow> {
  return {
    ...{ chain: row.chain, token_address: row.subject },
    ...{ token_symbol: row.symbols[0] ?? null, token_name: row.name },
    ...figures(row),
    ...{ pools: row.pools, main_pool_address: row.mainPool },
    ...afterFigures(row),
  };
}

export function presentPool(row: ScreenRow): z.infer<typeof poolRow> {
  return {
    ...{ chain: row.chain, pool_address: row.subject },
    ...{ protocol: row.pool?.protocol ?? "", fee: row.pool?.fee ?? null },
    ...{ token_addresses: [...row.tokens], token_symbols: [...row.symbols] },
    priced_token_address: row.priced,
    ...figures(row),
    ...afterFigures(row),
  };
}

function figures({ volumeUsd, trades, traders, priceUsd, changePct }: ScreenRow) {
  return {
    ...{ volume_usd: volumeUsd, trades, traders },
    ...{ price_usd: priceUsd, price_change_pct: changePct },
  };
}

function afterFigures({ liquidityUsd, createdAt, spamReasons }: ScreenRow) {
  return { liquidity_usd: liquidityUsd, created_timestamp: createdAt, spam_reasons: spamReasons };
}
