import type { AsOf } from "../connection/as-of.ts";
import { type Connection, integerIn } from "../connection/connection.ts";
import { QuarryError } from "../connection/quarry-error.ts";
import { type CallOptions, pause } from "../connection/request.ts";
import { chainChanged, standing } from "../standing.ts";
import { END_OF_TIME, type Tick, type TickPage, tickPage, walkBack } from "./tick-pages.ts";
import type { TicksQuestion } from "./ticks.ts";

/** Up to 100 tokens, as of `ticks`. */
export type FollowQuestion = Omit<TicksQuestion, "size" | "from_timestamp" | "until_timestamp">;

export interface FollowOptions extends CallOptions {
  /** Begins with the first tick above this block, e.g. the `asOf` of a tick stream or of an event; else with the next block. */
  after?: AsOf | undefined;
  /** How long after an answer the service is asked again; 1,000 unless told otherwise. */
  pollMs?: number | undefined;
}

export type TickEvent =
  /** The new ticks, oldest first; of one block and several tokens in the order of the question. */
  | { kind: "ticks"; ticks: Tick[]; asOf: AsOf }
  /** The chain was reorganized: ticks above this block no longer hold. Those of the new blocks follow. */
  | { kind: "rollback"; block: number; asOf: AsOf };

const DEFAULT_POLL_MS = 1_000;
const MAX_POLL_MS = 3_600_000;

/** Of each token; more than a block holds. */
const PAGE_SIZE = 1_000;

/** Blocks that are known to be told; a reorg below the oldest is an error. Finality of Polygon takes 256 blocks. */
const MAX_KNOWN = 512;

/** New ticks as blocks are indexed, each once. */
export async function* followTicks(
  connection: Connection,
  question: FollowQuestion,
  { after, pollMs = DEFAULT_POLL_MS, signal }: FollowOptions = {},
): AsyncGenerator<TickEvent, void> {
  const waitMs = integerIn([1, MAX_POLL_MS], { pollMs });
  let known = [after ?? (await newestBlock(connection, question, { signal }))];
  for (;;) {
    const event = await nextEvent(connection, { question, known, signal });
    if (event !== null) {
      known = [...known.filter(({ block }) => block < event.asOf.block), event.asOf].slice(-MAX_KNOWN);
      if (event.kind === "rollback" || event.ticks.length > 0) yield event;
    }
    await pause(waitMs, signal);
  }
}

async function newestBlock(
  connection: Connection,
  question: FollowQuestion,
  options: CallOptions,
): Promise<AsOf> {
  return (await tickPage(connection, { ...question, size: 1 }, options)).asOf;
}

interface Followed extends CallOptions {
  question: FollowQuestion;
  /** Blocks of one history up to which all is told, oldest first. */
  known: readonly AsOf[];
}

/** Null where nothing is new, or what was read is of a fork that is gone already. */
async function nextEvent(connection: Connection, followed: Followed): Promise<TickEvent | null> {
  const { question, known, signal } = followed;
  const last = known.at(-1);
  if (last === undefined) return null;
  const since = { ...question, from_timestamp: last.timestamp, until_timestamp: END_OF_TIME };
  const page = await tickPage(connection, { ...since, size: PAGE_SIZE }, { signal });
  const tip = page.asOf;
  if (tip.commit === last.commit) return null;
  const stand = await standing(connection, { chain: question.chain, blocks: [...known, tip], signal });
  if (!stand.includes(last)) return rollback(stand.filter((block) => block !== tip));
  // A tip below what is told comes of a copy of the service that is behind.
  if (!stand.includes(tip) || tip.block < last.block) return null;
  try {
    return { kind: "ticks", ticks: await newTicks(connection, followed, { page, last }), asOf: tip };
  } catch (error) {
    if (error instanceof QuarryError && error.code === "chain-changed") return null;
    throw error;
  }
}

function rollback(stand: readonly AsOf[]): TickEvent {
  const newest = stand.at(-1);
  if (newest === undefined) throw chainChanged("its ticks were followed, below all that was told");
  return { kind: "rollback", block: newest.block, asOf: newest };
}

async function newTicks(
  connection: Connection,
  { question, signal }: Followed,
  { page, last }: { page: TickPage; last: AsOf },
): Promise<Tick[]> {
  const found: Tick[] = [];
  const range = { from_timestamp: last.timestamp, until_timestamp: END_OF_TIME };
  const walk = { question: { ...question, ...range }, pinned: page.asOf, pageSize: PAGE_SIZE, signal };
  for (const { token_address: token, data: first } of page.tokens) {
    const newestFirst: Tick[] = [];
    for await (const tick of walkBack(connection, { ...walk, token, first })) {
      if (tick.block_number > last.block) newestFirst.push(tick);
    }
    found.push(...newestFirst.reverse());
  }
  return found.sort((a, b) => a.block_number - b.block_number);
}
