import { canonicalBlocks, chainChanged } from "../canonical-blocks.ts";
import { type AsOf, requiredAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import type { CallOptions } from "../connection/request.ts";
import { type Ohlc, type OhlcParams, ohlc } from "./ohlc.ts";

/** `max_size` is the number of candles per page. Default: 500. */
export type CandlePagesParams = Omit<OhlcParams, "order">;

/** Default number of candles per page, about one screen. */
const DEFAULT_PAGE_SIZE = 500;

/** Yields pages of candles, newest first, back to the first trade. */
export async function* candlePages(
  connection: Connection,
  { max_size = DEFAULT_PAGE_SIZE, ...params }: CandlePagesParams,
  options?: CallOptions,
): AsyncGenerator<Ohlc, void> {
  let pinned: AsOf | null = null;
  let before: number | undefined = params.until_timestamp;
  for (;;) {
    const until: { until_timestamp?: number } = before === undefined ? {} : { until_timestamp: before };
    const page: Ohlc = await ohlc(connection, { ...params, ...until, max_size, order: "desc" }, options);
    const tip = requiredAsOf(page.asOf);
    if (pinned !== null)
      await requireSameHistory(connection, { blocks: [pinned, tip], chain: params.chain }, options);
    if (page.data.length > 0) yield page;
    const oldest = page.data.at(-1)?.timestamp_open ?? 0;
    const from = params.from_timestamp ?? 0;
    if (page.data.length < max_size || oldest <= from) return;
    if (pinned === null || isBehind(pinned, page)) pinned = tip;
    before = oldest - 1;
  }
}

/**
 * Returns true if the newest candle of this page does not end before the pinned block. The pages that were
 * read before this one then begin after the pinned block, so they have no trades. This page, however, may
 * have trades of blocks after the pinned one. Therefore, the pages that follow must be consistent with the
 * block that this page is as of.
 */
function isBehind({ timestamp }: AsOf, { data }: Ohlc): boolean {
  return (data[0]?.timestamp_close ?? 0) >= timestamp;
}

/** Throws if a reorg may have changed the candles between two pages. */
async function requireSameHistory(
  connection: Connection,
  { blocks: [pinned, tip], chain }: { blocks: [AsOf, AsOf]; chain: string | undefined },
  options?: CallOptions,
): Promise<void> {
  if (pinned.commit === tip.commit) return;
  const canonical = await canonicalBlocks(connection, { chain, blocks: [pinned, tip], ...options });
  if (canonical.length < 2) throw chainChanged("its candles were read");
}
