import { canonicalBlocks, chainChanged } from "../../canonical-blocks.ts";
import type { AsOf } from "../../connection/as-of.ts";
import { type Connection, integerIn } from "../../connection/connection.ts";
import { QuarryError } from "../../connection/quarry-error.ts";
import { type CallOptions, pause } from "../../connection/request.ts";
import { END_OF_TIME, type Tick, type TickPage, tickPage, walkBack } from "./tick-pages.ts";
import type { TicksParams } from "./ticks.ts";

/** Parameters of `ticks`, with up to 100 tokens. */
export type FollowParams = Omit<TicksParams, "size" | "from_timestamp" | "until_timestamp">;

export interface FollowOptions extends CallOptions {
  /**
   * Start with the first tick above this block, e.g. the `asOf` of a tick stream or an event; default: the
   * next block.
   */
  after?: AsOf | undefined;
  /** Wait between a response and the next request; default 1,000. */
  pollMs?: number | undefined;
}

export type TickEvent =
  /** New ticks, oldest first; within a block in the order of the tokens in the request. */
  | { kind: "ticks"; ticks: Tick[]; asOf: AsOf }
  /**
   * The chain was reorganized: ticks above this block are no longer valid. Ticks of the new blocks follow.
   */
  | { kind: "rollback"; block: number; asOf: AsOf };

const DEFAULT_POLL_MS = 1_000;
const MAX_POLL_MS = 3_600_000;

/** Ticks of each token in one request; more than a block holds. */
const PAGE_SIZE = 1_000;

/**
 * Number of delivered blocks to remember; a reorg below the oldest is an error. Polygon reaches finality
 * within 256 blocks.
 */
const MAX_KNOWN = 512;

/** Yields new ticks as blocks are indexed, each once. */
export async function* followTicks(
  connection: Connection,
  params: FollowParams,
  { after, pollMs = DEFAULT_POLL_MS, signal }: FollowOptions = {},
): AsyncGenerator<TickEvent, void> {
  const waitMs = integerIn([1, MAX_POLL_MS], { pollMs });
  let known = [after ?? (await newestBlock(connection, params, { signal }))];
  for (;;) {
    const event = await nextEvent(connection, { params, known, signal });
    if (event !== null) {
      known = [...known.filter(({ block }) => block < event.asOf.block), event.asOf].slice(-MAX_KNOWN);
      if (event.kind === "rollback" || event.ticks.length > 0) yield event;
    }
    await pause(waitMs, signal);
  }
}

async function newestBlock(
  connection: Connection,
  params: FollowParams,
  options: CallOptions,
): Promise<AsOf> {
  return (await tickPage(connection, { ...params, size: 1 }, options)).asOf;
}

interface Followed extends CallOptions {
  params: FollowParams;
  /** Blocks of one history whose ticks have all been delivered, oldest first. */
  known: readonly AsOf[];
}

/** Null when nothing is new, or when the response came from a fork that has since been rolled back. */
async function nextEvent(connection: Connection, followed: Followed): Promise<TickEvent | null> {
  const { params, known, signal } = followed;
  const last = known.at(-1);
  if (last === undefined) return null;
  const since = { ...params, from_timestamp: last.timestamp, until_timestamp: END_OF_TIME };
  const page = await tickPage(connection, { ...since, size: PAGE_SIZE }, { signal });
  const tip = page.asOf;
  if (tip.commit === last.commit) return null;
  const canonical = await canonicalBlocks(connection, {
    chain: params.chain,
    blocks: [...known, tip],
    signal,
  });
  if (!canonical.includes(last)) return rollback(canonical.filter((block) => block !== tip));
  // A tip below the last delivered block comes from a replica that lags.
  if (!canonical.includes(tip) || tip.block < last.block) return null;
  try {
    return { kind: "ticks", ticks: await newTicks(connection, followed, { page, last }), asOf: tip };
  } catch (error) {
    if (error instanceof QuarryError && error.code === "chain-changed") return null;
    throw error;
  }
}

function rollback(canonical: readonly AsOf[]): TickEvent {
  const newest = canonical.at(-1);
  if (newest === undefined) throw chainChanged("its ticks were followed, below every delivered block");
  return { kind: "rollback", block: newest.block, asOf: newest };
}

async function newTicks(
  connection: Connection,
  { params, signal }: Followed,
  { page, last }: { page: TickPage; last: AsOf },
): Promise<Tick[]> {
  const found: Tick[] = [];
  const range = { from_timestamp: last.timestamp, until_timestamp: END_OF_TIME };
  const walk = { params: { ...params, ...range }, pinned: page.asOf, pageSize: PAGE_SIZE, signal };
  for (const { token_address: token, data: first } of page.tokens) {
    const newestFirst: Tick[] = [];
    for await (const tick of walkBack(connection, { ...walk, token, first })) {
      if (tick.block_number > last.block) newestFirst.push(tick);
    }
    found.push(...newestFirst.reverse());
  }
  return found.sort((a, b) => a.block_number - b.block_number);
}
