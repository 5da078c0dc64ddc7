import { canonicalBlocks, chainChanged } from "../canonical-blocks.ts";
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
  let first: Ohlc | null = null;
  let before: number | undefined = params.until_timestamp;
  for (;;) {
    const until: { until_timestamp?: number } = before === undefined ? {} : { until_timestamp: before };
    const page: Ohlc = await ohlc(connection, { ...params, ...until, max_size, order: "desc" }, options);
    await requireSameHistory(connection, { first, page, chain: params.chain }, options);
    if (page.data.length > 0) yield page;
    const oldest = page.data.at(-1)?.timestamp_open ?? 0;
    const from = params.from_timestamp ?? 0;
    if (page.data.length < max_size || oldest <= from) return;
    first ??= page;
    before = oldest - 1;
  }
}

/**
 * Throws unless the page is consistent with the first one. A reorg or newly indexed blocks may have changed
 * its candles.
 */
async function requireSameHistory(
  connection: Connection,
  { first, page, chain }: { first: Ohlc | null; page: Ohlc; chain: string | undefined },
  options?: CallOptions,
): Promise<void> {
  if (first === null) return;
  const [pinned, tip] = [first, page].map(({ asOf }) => asOf);
  if (!pinned || !tip) throw chainChanged("its candles were read");
  if (pinned.commit === tip.commit) return;
  const closed = (page.data[0]?.timestamp_close ?? 0) < pinned.timestamp;
  const canonical = closed
    ? await canonicalBlocks(connection, { chain, blocks: [pinned, tip], ...options })
    : [];
  if (canonical.length < 2) throw chainChanged("its candles were read");
}
