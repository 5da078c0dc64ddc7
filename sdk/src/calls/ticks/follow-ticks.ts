import { distinctAddresses, distinctPools } from "../../connection/address-list.ts";
import type { AsOf } from "../../connection/as-of.ts";
import type { Connection } from "../../connection/connection.ts";
import { QuarryError } from "../../connection/quarry-error.ts";
import type { CallOptions } from "../../connection/request.ts";
import { stream } from "../stream/stream.ts";
import type { StreamData } from "../stream/subscriptions.ts";
import type { Tick } from "./tick-pages.ts";
import type { TicksParams } from "./ticks.ts";

/**
 * Parameters of `ticks`, with up to 1,000 tokens. There is no `exclude_wash`, because wash trading is judged
 * for a whole day of a pool, so the verdict is not known yet when a trade happens.
 */
export type FollowParams = Omit<TicksParams, "size" | "from_timestamp" | "until_timestamp" | "exclude_wash">;

export interface FollowOptions extends CallOptions {
  /**
   * Start with the first tick in a block above this one, e.g. above the `asOf` of a tick stream or an event.
   * Default: start with the next block.
   */
  after?: AsOf | undefined;
}

export type TickEvent =
  /** New ticks, oldest first. Ticks of the same block are in the order of the tokens in the request. */
  | { kind: "ticks"; ticks: Tick[]; asOf: AsOf }
  /**
   * The chain was reorganized. Ticks above this block are no longer valid. Ticks of the new blocks follow.
   */
  | { kind: "rollback"; block: number; asOf: AsOf };

type Trade = NonNullable<StreamData<{ type: "trades" }>["trades"]>[number];

/** Yields each new tick once, as blocks are indexed. */
export async function* followTicks(
  connection: Connection,
  { chain, token_address, pool_address = "all", price_type = DEFAULT_PRICE, max_lag, ...rest }: FollowParams,
  { after, signal }: FollowOptions = {},
): AsyncGenerator<TickEvent, void> {
  requireNoWashFilter(rest);
  const tokens = distinctAddresses("token_address", token_address);
  const trades = {
    type: "trades",
    token_address: tokens,
    pool_address: poolsOf(pool_address),
    // If true, the service leaves out trades without a robust price.
    accepted: price_type === DEFAULT_PRICE,
  } as const;
  const id = after === undefined ? undefined : `${after.commit}:${after.block}:${after.hash}`;
  const places = new Map(tokens.map((token, i) => [token, i]));
  const question = { chain, subscriptions: [trades], after: id, max_lag };
  for await (const frame of stream(connection, question, { signal })) {
    if (frame.event === "reset") throw cannotFollow(frame.reason);
    if (frame.event !== "block" && frame.event !== "rollback") continue;
    const { block, timestamp, hash, commit, data } = frame;
    const asOf = { block, timestamp, hash, commit };
    if (frame.event === "rollback") yield { kind: "rollback", block, asOf };
    const ticks = (data.trades ?? []).flatMap((trade) => tickOf(trade, price_type));
    const place = ({ token_address: token }: Tick) => places.get(token) ?? 0;
    if (ticks.length > 0) yield { kind: "ticks", ticks: ticks.sort((a, b) => place(a) - place(b)), asOf };
  }
}

/**
 * Rejects `exclude_wash`. The compiler accepts objects that have more properties than the type, so without
 * this check, a caller would get the wash trades that it meant to exclude.
 */
function requireNoWashFilter(rest: { exclude_wash?: unknown }): void {
  if ((rest.exclude_wash ?? null) === null) return;
  const message =
    "followTicks has no parameter exclude_wash: use ticks or tickStream, which leave wash trades out.";
  throw new QuarryError("bad-options", message);
}

function cannotFollow(reason: string): QuarryError {
  const message = `The ticks cannot be followed further, because ${reason}: start again.`;
  return new QuarryError("chain-changed", message);
}

const DEFAULT_PRICE = "price_token_usd_robust_tick_1";

/** Returns the pools of the filter, or undefined if it accepts any pool. */
function poolsOf(given: string | readonly string[]): string[] | undefined {
  const isAll = typeof given === "string" && given.trim().toLowerCase() === "all";
  return isAll ? undefined : distinctPools("pool_address", [given].flat());
}

/** Returns the tick of a trade as the only item, or no item if the trade does not have this price. */
function tickOf(trade: Trade, priceType: NonNullable<FollowParams["price_type"]>): Tick[] {
  const { token_address, block_number, timestamp, transaction_hash, price_token_eth, amount_token } = trade;
  const price_usd = trade[priceType];
  if (price_usd === null) return [];
  const found = { block_number, timestamp, transaction_hash, price_usd, price_eth: price_token_eth };
  return [{ token_address, ...found, amount_token }];
}
