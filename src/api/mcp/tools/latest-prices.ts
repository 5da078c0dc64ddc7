import { batchLatestTokenPrices as endpoint } from "../../endpoints/prices/batch-latest-token-prices.ts";
import { addressList } from "../../parameters/kinds/lists.ts";
import { readParameters, required } from "../../parameters/parameter.ts";
import { asOf, MAX_ROWS, printTable, tableOf } from "../answer.ts";
import { OWN_PARAMETERS } from "../own-parameters.ts";
import { chainIn, TOOL_CHAIN, type Tool } from "../tool.ts";

const own = {
  token_address: required(addressList({ max: MAX_ROWS, maxOnGet: MAX_ROWS }), "tokens"),
};

export const latestPrices: Tool = {
  name: "latest_prices",
  title: "Latest prices",
  description: `Prices of up to ${MAX_ROWS} tokens, each at its newest trade: price_usd in USD per token, price_eth in native coins per token; timestamp in unix seconds. Null: no known price.`,
  parameters: { ...endpoint.parameters, ...own, chain: TOOL_CHAIN },
  async run(given, ask) {
    const { token_address } = readParameters(own, given, OWN_PARAMETERS);
    const answered = await ask(endpoint, { ...given, token_address });
    return printTable({
      facts: { chain: chainIn(given), as_of: asOf(answered) },
      ...tableOf(answered.body as Record<string, unknown>[]),
      narrow: "Give fewer tokens.",
    });
  },
};
