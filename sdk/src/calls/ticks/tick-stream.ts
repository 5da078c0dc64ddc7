import { distinctAddresses } from "../../connection/address-list.ts";
import type { AsOf } from "../../connection/as-of.ts";
import { type Connection, integerIn } from "../../connection/connection.ts";
import type { CallOptions } from "../../connection/request.ts";
import { END_OF_TIME, MAX_PAGE_SIZE, type Tick, tickPage, walkBack } from "./tick-pages.ts";
import type { TicksParams } from "./ticks.ts";

/** Selects all ticks from `from_timestamp` (default: 0) to `until_timestamp` (default: the newest). */
export type TickStreamParams = Omit<TicksParams, "size">;

export interface TickStreamOptions extends CallOptions {
  /** Number of ticks per request. Default: 10,000. */
  pageSize?: number | undefined;
}

export interface TickStream {
  /** Yields the ticks of one token after another, newest first. Can be read only once. */
  ticks: AsyncGenerator<Tick, void>;
  /**
   * The block that all ticks are as of, no matter how long it takes to read them. With `exclude_wash`, the
   * current day is judged as of the newest block when a page is read.
   */
  asOf: AsOf;
}

/**
 * Default number of ticks per request: about two megabytes of JSON, which take a few hundred milliseconds.
 */
const DEFAULT_PAGE_SIZE = 10_000;

export async function tickStream(
  connection: Connection,
  params: TickStreamParams,
  { pageSize = DEFAULT_PAGE_SIZE, signal }: TickStreamOptions = {},
): Promise<TickStream> {
  const size = integerIn([1, MAX_PAGE_SIZE], { pageSize });
  const tokens = distinctAddresses("token_address", params.token_address);
  const { from_timestamp = 0, until_timestamp = END_OF_TIME } = params;
  const whole = { ...params, from_timestamp, until_timestamp };
  const page = await tickPage(connection, { ...whole, token_address: tokens.slice(0, 1), size }, { signal });
  const walk = { params: whole, pinned: page.asOf, pageSize: size, signal };
  async function* all(): AsyncGenerator<Tick, void> {
    for (const [i, token] of tokens.entries()) {
      const first = i === 0 ? page.tokens[0]?.data : undefined;
      yield* walkBack(connection, { ...walk, token, first });
    }
  }
  return { ticks: all(), asOf: page.asOf };
}
