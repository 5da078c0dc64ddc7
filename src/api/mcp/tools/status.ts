import { status as endpoint, type StatusAnswer } from "../../endpoints/operations/status.ts";
import { printTable, tableOf } from "../answer.ts";
import type { Ask } from "../ask.ts";
import type { Tool } from "../tool.ts";

type ChainStatus = StatusAnswer["chains"][number];

export const status: Tool = {
  name: "status",
  title: "Status",
  description:
    "The indexed chains: block range, newest indexed block (indexed_timestamp in unix seconds), lag in blocks and seconds, rows of each table. Data older than first_block or newer than indexed_block is not available.",
  parameters: endpoint.parameters,
  async run(_given, ask) {
    const chains = await chainsOf(ask);
    return printTable({
      facts: {},
      ...tableOf(chains.map(({ endpoints, rollbacks, finality, ...chain }) => chain)),
      narrow: "",
    });
  },
};

async function chainsOf(ask: Ask): Promise<ChainStatus[]> {
  const { body } = await ask(endpoint, {});
  return (body as StatusAnswer).chains;
}

/**
 * Returns the time of a chain's newest block, unix seconds; null if the chain has no block, or if it is
 * unknown, which the next request reports.
 */
export async function newestTime(chain: string, ask: Ask): Promise<number | null> {
  const found = (await chainsOf(ask)).find(({ chain: name }) => name === chain);
  return found?.indexed_timestamp ?? null;
}
