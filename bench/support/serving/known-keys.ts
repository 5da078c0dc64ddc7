import { type FillSource, fillMisses, NOTHING_FILLED } from "../../../src/reads/served/fill-misses.ts";
import { loadWindow } from "../../../src/reads/served/load-window.ts";
import type { Rows } from "../../../src/schema/tables.ts";
import { ALL_TABLES } from "../../../src/serving/counts/row-counts.ts";
import type { PartName } from "../../../src/serving/parts.ts";
import { groupsWith, recordsKey } from "../../../src/serving/records/newest-records.ts";
import type { ServingState } from "../../../src/serving/serving-state.ts";

/** Groups that the interface's small questions request most often, with the usual number of records. */
const GROUPS = [
  ...groupsWith("dex_trades", "token_address", 10),
  ...groupsWith("dex_trades", "trader_address", 10),
  ...groupsWith("erc20", "to_address", 10),
].filter(({ capacity }) => capacity === 10);

/**
 * Reads into the serving state everything that the given rows of later blocks will change, as if clients had
 * requested all of it. This is the maximum that the rows can cost.
 */
export async function fillKeysOf(rows: Rows, source: FillSource, serving: ServingState): Promise<void> {
  const { commit } = serving;
  if (commit === null) return;
  await loadWindow(source.reader, source.readable, source.limits);
  await fillMisses(source, { serving, commit }, keysOf(rows), NOTHING_FILLED);
}

function keysOf({ dex_trades = [], erc20 = [] }: Rows): Map<PartName, Set<string>> {
  const tokens = new Set(dex_trades.map(({ token_address }) => token_address));
  const records = GROUPS.flatMap((group) => {
    const rows: readonly object[] = group.table === "erc20" ? erc20 : dex_trades;
    return rows.map((row) => recordsKey(group, String(Reflect.get(row, group.column))));
  });
  return new Map<PartName, Set<string>>([
    ["tickPrices", tokens],
    ["robustPrices", tokens],
    ["tokenFacts", tokens],
    ["wallets", new Set(dex_trades.map(({ trader_address }) => trader_address))],
    ["pools", new Set(dex_trades.map(({ pool_address }) => pool_address))],
    ["rowCounts", new Set([ALL_TABLES])],
    ["newestRecords", new Set(records)],
  ]);
}
