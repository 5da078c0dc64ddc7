import { z } from "zod";

/** Fields of a token in every list of tokens. */
export const TOKEN_FIELDS = {
  chain: z.string(),
  token_address: z.string(),
  token_symbol: z.string().nullable(),
  token_name: z.string().nullable(),
};

/** Fields of a pool in every list of pools. */
export const POOL_FIELDS = {
  chain: z.string(),
  pool_address: z.string(),
  protocol: z.string(),
  fee: z.int().nullable().describe("swap fee, millionths; null if the pool has no fixed fee"),
  token_addresses: z.array(z.string()).describe("in the pool's order"),
  token_symbols: z.array(z.string().nullable()).describe("of these tokens"),
};

/** The last field of a token or pool in a list. */
export const SPAM_FIELD = {
  spam_reasons: z.string().nullable().describe("why it is spam (docs/verdicts.md); null if it is not"),
};
