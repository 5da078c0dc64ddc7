import { ZERO_ADDRESS } from "../../format/hex.ts";
import { tokenName } from "../../format/pool.ts";
import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";

/** A token with trades, as an example. */
export interface TopToken {
  address: string;
  name: string;
}

/** The token used in examples if no token has been traded, or if the request failed. */
export const NO_TOKEN: TopToken = { address: ZERO_ADDRESS, name: "a token" };

/**
 * Reads the token with the highest volume of the last 24 hours. Leaves out spam, such as imitations of known
 * tokens.
 */
export function topTokenQuery(chain: string) {
  return settledQuery(["top token", chain], async (signal): Promise<TopToken> => {
    const parameters = { chain, kind: "token", window: "24h", sortby: "volume_usd", size: 1 } as const;
    const [top] = (await quarry.screener(parameters, { signal })).tokens;
    if (top === undefined) return NO_TOKEN;
    const { token_address: address, token_symbol: symbol } = top;
    return { address, name: tokenName({ address, symbol }) };
  });
}
