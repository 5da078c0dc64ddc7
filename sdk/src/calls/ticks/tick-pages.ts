import { canonicalBlocks, chainChanged } from "../../canonical-blocks.ts";
import { type AsOf, asOf, requiredAsOf } from "../../connection/as-of.ts";
import type { Connection } from "../../connection/connection.ts";
import { QuarryError } from "../../connection/quarry-error.ts";
import { type CallOptions, request } from "../../connection/request.ts";
import { TICKS_PATH, type TicksAnswer, type TicksParams, type TokenTicks } from "./ticks.ts";

/** The price and the token of a trade. */
export interface Tick extends PlainTick {
  token_address: string;
}

type PlainTick = TokenTicks["data"][number];

export interface TickPage {
  tokens: TokenTicks[];
  asOf: AsOf;
}

/** Selects the ticks that `walkBack` reads. */
interface Walk extends CallOptions {
  params: TicksParams & { from_timestamp: number; until_timestamp: number };
  token: string;
  /** Block as of which the ticks are read: every tick is from this block or one of its ancestors. */
  pinned: AsOf;
  pageSize: number;
  /** The first page of `pageSize` ticks, if already read. */
  first?: PlainTick[] | undefined;
}

/** Maximum timestamp of a tick. */
export const END_OF_TIME = 2 ** 32 - 1;

/** Maximum number of ticks per token that the service returns in one response. */
export const MAX_PAGE_SIZE = 100_000;

/** Growth of the page size: if one second fills a whole page, the next request is this many times larger. */
const GROWTH = 10;

export async function tickPage(
  connection: Connection,
  body: TicksParams,
  options?: CallOptions,
): Promise<TickPage> {
  const reply = await request<TicksAnswer>(connection, { path: TICKS_PATH, params: body, ...options });
  return { tokens: [reply.body].flat(), asOf: requiredAsOf(asOf(reply)) };
}

/**
 * Yields all ticks of a token, newest first. Each page ends at the boundary of a second: except on the last
 * page, the ticks of a page's oldest second are left to the next page, which has all of them. Therefore no
 * tick is missing or repeated, however many ticks have the same second.
 */
export async function* walkBack(connection: Connection, walk: Walk): AsyncGenerator<Tick, void> {
  const { token, pinned, pageSize } = walk;
  let until = Math.min(walk.params.until_timestamp, pinned.timestamp);
  let size = pageSize;
  let page = walk.first ?? null;
  for (;;) {
    const data = page ?? (await pageOf(connection, walk, { until, size }));
    const isLast = data.length < size;
    const complete = isLast ? data : wholeSeconds(data);
    for (const tick of complete)
      if (tick.block_number <= pinned.block) yield { token_address: token, ...tick };
    if (isLast) return;
    until = data.at(-1)?.timestamp ?? until;
    size = complete.length > 0 ? pageSize : grown(size, { token, second: until });
    page = null;
  }
}

function wholeSeconds(data: readonly PlainTick[]): PlainTick[] {
  const oldest = data.at(-1)?.timestamp ?? 0;
  return data.filter(({ timestamp }) => timestamp > oldest);
}

function grown(size: number, { token, second }: { token: string; second: number }): number {
  if (size < MAX_PAGE_SIZE) return Math.min(MAX_PAGE_SIZE, GROWTH * size);
  const message = `${token} has at least ${MAX_PAGE_SIZE} ticks at timestamp ${second}, more than can be read.`;
  throw new QuarryError("too-large", message);
}

/**
 * Maximum number of attempts to read a page. A page from another fork is read again. A chain does not fork
 * this often in a row.
 */
const MAX_ATTEMPTS = 4;

async function pageOf(
  connection: Connection,
  { params, token, pinned, ...options }: Walk,
  { until, size }: { until: number; size: number },
): Promise<PlainTick[]> {
  const { signal } = options;
  const body = { ...params, token_address: [token], until_timestamp: until, size };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { tokens, asOf: tip } = await tickPage(connection, body, { signal });
    const data = tokens[0]?.data ?? [];
    if (tip.commit === pinned.commit) return data;
    const canonical = await canonicalBlocks(connection, {
      chain: params.chain,
      blocks: [pinned, tip],
      signal,
    });
    if (!canonical.includes(pinned)) break;
    if (canonical.includes(tip)) return data;
  }
  throw chainChanged("its ticks were read");
}
