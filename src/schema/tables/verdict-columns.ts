import { nullable } from "../column.ts";

/** Of the tables that name a token. */
export const spamVerdict = {
  spam_reasons: nullable(
    "text",
    "why the token is spam, separated by commas: no_accepted_trade, link_in_name, imitates_listed_symbol, airdrop_fan_out; null if it is not (docs/verdicts.md); computed only where it is named, not in SELECT *",
  ),
};
