import { grouped } from "../../lib/collections/grouped.ts";
import type { Hex } from "../../lib/hex.ts";
import type { BlockPricesQuery } from "../../reads/prices/prices-at-block.ts";
import { parsePosition } from "../../streams/frame.ts";
import type { Progress, Side } from "../webhook.ts";
import { type PriceWatch, sideOf } from "./price-watch.ts";

/** Reads prices as of a block, USD per token; tokens without a price are left out. */
export type ReadPrices = (query: BlockPricesQuery) => Promise<ReadonlyMap<Hex, number>>;

/**
 * Returns the progress with the sides that a rollback made unknown. They are read as of the block to which
 * the chain was rolled back. Without them, the next trade could not show a crossing.
 *
 * @throws whatever `read` throws
 */
export async function withKnownSides(
  progress: Progress,
  watches: readonly PriceWatch[],
  read: ReadPrices,
): Promise<Progress> {
  const place = progress.position === null ? null : parsePosition(progress.position);
  if (place === null) return progress;
  const { block, hash } = place;
  const unknown = watches.filter(({ id }) => (progress.sides[id] ?? null) === null);
  const found: Record<string, Side> = {};
  for (const [priceType, alike] of grouped(unknown, (watch) => watch.priceType)) {
    const tokens = [...new Set(alike.map(({ token }) => token))];
    const prices = await read({ block, hash, tokens, priceType });
    for (const watch of alike) {
      const price = prices.get(watch.token);
      if (price !== undefined) found[watch.id] = sideOf(watch, price);
    }
  }
  const ids = Object.keys(found);
  if (ids.length === 0) return progress;
  // These sides hold from this block on: a deeper rollback makes them unknown again.
  const undo = { block, id: null, sidesBefore: Object.fromEntries(ids.map((id) => [id, null])) };
  return {
    ...progress,
    sides: { ...progress.sides, ...found },
    journal: [...progress.journal, undo],
  };
}
