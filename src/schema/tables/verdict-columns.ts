import { nullable } from "../column.ts";

/** Verdicts for tables that name a token. */
export const spamVerdict = {
  spam_reasons: nullable(
    "text",
    "why the token is spam, separated by commas: no_accepted_trade, link_in_name, imitates_listed_symbol, airdrop_fan_out; null if it is not (docs/verdicts.md); computed only where it is named, not in SELECT *",
  ),
};

/** Verdicts for tables that name a pool and a time. */
export const washVerdict = {
  wash_reason: nullable(
    "text",
    "why the trades of the pool on this day (UTC) count as wash trades: trades_per_trader or usd_per_trader; null if they do not (docs/verdicts.md); computed only where it is named, not in SELECT *",
  ),
};
