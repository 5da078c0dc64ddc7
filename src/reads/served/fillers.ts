import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import { TRADE_PRICES, type TradePrice } from "../../schema/trade-price.ts";
import { ALL_BLOCKS } from "../../serving/counts/block-proofs.ts";
import { ALL_TABLES } from "../../serving/counts/row-counts.ts";
import type { PartName, PartValues } from "../../serving/parts.ts";
import { recordGroupsOf, recordsKey } from "../../serving/records/newest-records.ts";
import { CommittedRecord, RecordList } from "../../serving/records/record-list.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import { PriceExtremes } from "../../serving/tokens/price-extremes.ts";
import { basePriceKey } from "../../serving/window/base-prices.ts";
import { readPoolStates } from "../pools/fill-pools.ts";
import { readAllTime } from "../prices/all-time-prices.ts";
import { readPricesInForce } from "../prices/prices-in-force.ts";
import { readNewestRecords } from "../records/newest-records.ts";
import { readLists } from "../screener/kept-lists.ts";
import { readBlockProofs } from "../snapshot/block-proofs.ts";
import { outdated, type Snapshot } from "../snapshot/snapshot.ts";
import { readTableRows } from "../snapshot/table-rows.ts";
import { readTokenFacts } from "../trades/token-facts.ts";
import { readAllPositions } from "../wallets/wallet-trades.ts";
import { readChunks, readFirstTrades } from "../window/fill-candles.ts";

/**
 * Maximum number of tokens in a statement, which lists them in hex: 410 kB of the engine's limit of 4 MiB.
 */
const TOKENS_PER_QUERY = 10_000;

/**
 * Reads the values of keys as of a snapshot of the state's commit; keys without a value are left out. Null if
 * there is too much to read at once.
 */
export type Filler<V> = (
  snapshot: Snapshot,
  keys: string[],
  serving: ServingState,
) => Promise<Map<string, V> | null>;

/** The function that reads each part of the serving state from the store. */
export const FILLERS: { readonly [N in PartName]: Filler<PartValues[N]> } = {
  tickPrices: allTimePrices("price_token_usd_tick_1"),
  robustPrices: allTimePrices("price_token_usd_robust_tick_1"),
  tokenFacts: (snapshot, tokens) => inParts(tokens, (part) => readTokenFacts(snapshot, part)),
  pools: (snapshot, pools, { window }) => readPoolStates(snapshot, pools as Hex[], window),
  rowCounts: async (snapshot) => new Map([[ALL_TABLES, await readTableRows(snapshot)]]),
  blockProofs: async (snapshot) => new Map([[ALL_BLOCKS, await readBlockProofs(snapshot)]]),
  wallets: (snapshot, wallets) => readAllPositions(snapshot, wallets as Hex[]),
  newestRecords: fillRecords,
  basePrices: readBasePrices,
  candles: readChunks,
  firstTrades: readFirstTrades,
  lists: readLists,
};

function allTimePrices(priceType: TradePrice): Filler<PartValues["tickPrices"]> {
  return (snapshot, tokens) =>
    inParts(tokens, async (part) => {
      const found = await readAllTime(snapshot, part, "all", priceType);
      return new Map([...found].map(([token, trades]) => [token, new PriceExtremes(trades)]));
    });
}

async function inParts<V>(
  tokens: readonly string[],
  read: (part: Hex[]) => Promise<Map<Hex, V>>,
): Promise<Map<Hex, V>> {
  const found = new Map<Hex, V>();
  for (const part of partsOf(tokens as readonly Hex[], TOKENS_PER_QUERY)) {
    for (const [token, value] of await read(part)) found.set(token, value);
  }
  return found;
}

/** Reads all lists of a group at once; the keys of one question all belong to one group. */
async function fillRecords(snapshot: Snapshot, keys: string[]): Promise<Map<string, RecordList>> {
  const lists = new Map<string, RecordList>();
  for (const { group, values } of recordGroupsOf(keys)) {
    const { table, column: groupBy, capacity: size } = group;
    const found = await readNewestRecords(snapshot, { table, groupBy, values, size });
    for (const [value, records] of found) {
      const oldestFirst = records.toReversed().map(CommittedRecord.ofJson);
      lists.set(recordsKey(group, value), new RecordList(size, oldestFirst));
    }
  }
  return lists;
}

async function readBasePrices(
  snapshot: Snapshot,
  keys: string[],
  { window }: ServingState,
): Promise<Map<string, number>> {
  if (window.rows === null) throw outdated(snapshot);
  const { completeAfter } = window.rows;
  const read = async (type: TradePrice) => {
    const tokens = keys.filter((key) => key.endsWith(` ${type}`)).map((key) => key.split(" ")[0] as Hex);
    const prices = await readPricesInForce(snapshot, tokens, type, completeAfter);
    return [...prices].map(([token, price]) => [basePriceKey(token, type), price] as const);
  };
  const found = await Promise.all(TRADE_PRICES.map(read));
  return new Map(found.flat());
}
