import { latestPerformancePerToken as tokensEndpoint } from "../../endpoints/wallets/latest-performance-per-token.ts";
import { latestTotalPerformance as totalsEndpoint } from "../../endpoints/wallets/latest-total-performance.ts";
import { asOf, printTable, tableOf } from "../answer.ts";
import type { Ask } from "../ask.ts";
import { CURSOR, listPage } from "../cursor.ts";
import { chainIn, type Given, TOOL_CHAIN, type Tool } from "../tool.ts";

const NAME = "wallet";

export const wallet: Tool = {
  name: NAME,
  title: "Wallet performance",
  description:
    "DEX trading profit of a wallet: totals, and a row for each token it traded, largest total_profit first. Profit, value, investment and volume in USD, returns in percent, amounts in tokens, prices in USD per token, times in unix seconds. A null value depends on an unknown price. For all holdings, including tokens never traded, use sql over <chain>_token_balances.",
  parameters: { ...tokensEndpoint.parameters, chain: TOOL_CHAIN, cursor: CURSOR },
  async run({ cursor, ...given }, ask) {
    const page = listPage(NAME, cursor, "tokens");
    const [answered, totals] = await Promise.all([
      ask(tokensEndpoint, given),
      page.isFirst ? totalsOf(given, ask) : {},
    ]);
    const { data } = answered.body as { data: Record<string, unknown>[] };
    const as_of = asOf(answered);
    return printTable({
      facts: {
        chain: chainIn(given),
        as_of,
        ...page.noteAt(as_of),
        tokens: data.length,
        ...totals,
      },
      ...tableOf(data.slice(page.offset)),
      narrow: "The largest profits come first.",
      cursorAfter: (kept) => page.cursorAfter(kept, as_of),
    });
  },
};

async function totalsOf(given: Given, ask: Ask): Promise<object> {
  const answered = await ask(totalsEndpoint, given);
  // A block may have been committed between the two requests.
  return { totals_as_of: asOf(answered), totals: answered.body };
}
