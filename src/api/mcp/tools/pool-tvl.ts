import { batchLatestPoolTvl as endpoint } from "../../endpoints/pools/batch-latest-pool-tvl.ts";
import { poolList } from "../../parameters/kinds/lists.ts";
import { readParameters, required } from "../../parameters/parameter.ts";
import { asOf, MAX_ROWS, printTable, tableOf } from "../answer.ts";
import { OWN_PARAMETERS } from "../own-parameters.ts";
import { chainIn, TOOL_CHAIN, type Tool } from "../tool.ts";

/** Half as many rows as usual, because each has about 350 characters. */
const MAX_POOLS = MAX_ROWS / 2;

const own = {
  pool_address: required(poolList({ max: MAX_POOLS, maxOnGet: MAX_POOLS }), "pools"),
};

export const poolTvl: Tool = {
  name: "pool_tvl",
  title: "Pool TVL",
  description: `Balances and value of up to ${MAX_POOLS} DEX pools, now or at a given time: balances in tokens; prices, tvl_usd and liquidity_usd in USD; block_number and timestamp (unix seconds) of the pool's newest swap. Null: unknown.`,
  parameters: { ...endpoint.parameters, ...own, chain: TOOL_CHAIN },
  async run(given, ask) {
    const { pool_address } = readParameters(own, given, OWN_PARAMETERS);
    const answered = await ask(endpoint, { ...given, pool_address });
    const { data } = answered.body as { data: Record<string, unknown>[] };
    return printTable({
      facts: { chain: chainIn(given), as_of: asOf(answered) },
      ...tableOf(data),
      narrow: "Give fewer pools.",
    });
  },
};
