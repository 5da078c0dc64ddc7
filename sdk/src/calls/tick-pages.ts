import { type AsOf, requiredAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { QuarryError } from "../connection/quarry-error.ts";
import { ask, type CallOptions } from "../connection/request.ts";
import { chainChanged, standing } from "../standing.ts";
import { TICKS_PATH, type TicksAnswer, type TicksQuestion, type TokenTicks } from "./ticks.ts";

/** The price of a trade, and of which token it is. */
export interface Tick extends PlainTick {
  token_address: string;
}

type PlainTick = TokenTicks["data"][number];

export interface TickPage {
  tokens: TokenTicks[];
  asOf: AsOf;
}

/** What ticks are walked through, newest first. */
interface Walk extends CallOptions {
  question: TicksQuestion & { from_timestamp: number; until_timestamp: number };
  token: string;
  /** Nothing above this block is told, and everything is of its history. */
  pinned: AsOf;
  pageSize: number;
  /** The first page, if it is there already; of `pageSize` ticks. */
  first?: PlainTick[] | undefined;
}

/** The times of ticks end here. */
export const END_OF_TIME = 2 ** 32 - 1;

/** The service gives so many ticks of a token at once. */
export const MAX_PAGE_SIZE = 100_000;

/** A page that does not fit into its second is asked for again, this many times as large. */
const GROWTH = 10;

export async function tickPage(
  connection: Connection,
  body: TicksQuestion,
  options?: CallOptions,
): Promise<TickPage> {
  const reply = await ask<TicksAnswer>(connection, { path: TICKS_PATH, body, ...options });
  return { tokens: [reply.body].flat(), asOf: requiredAsOf(reply) };
}

/**
 * All ticks of a token, newest first. Pages meet at a second: of a page that may not be the last, the ticks of its oldest
 * second are left to the next one, which holds them all. So none is missing or told twice, however many share a second.
 */
export async function* walkBack(connection: Connection, walk: Walk): AsyncGenerator<Tick, void> {
  const { token, pinned, pageSize } = walk;
  let until = Math.min(walk.question.until_timestamp, pinned.timestamp);
  let size = pageSize;
  let page = walk.first ?? null;
  for (;;) {
    const data = page ?? (await pageOf(connection, walk, { until, size }));
    const isLast = data.length < size;
    const told = isLast ? data : wholeSeconds(data);
    for (const tick of told) if (tick.block_number <= pinned.block) yield { token_address: token, ...tick };
    if (isLast) return;
    until = data.at(-1)?.timestamp ?? until;
    size = told.length > 0 ? pageSize : grown(size, { token, second: until });
    page = null;
  }
}

function wholeSeconds(data: readonly PlainTick[]): PlainTick[] {
  const oldest = data.at(-1)?.timestamp ?? 0;
  return data.filter(({ timestamp }) => timestamp > oldest);
}

function grown(size: number, { token, second }: { token: string; second: number }): number {
  if (size < MAX_PAGE_SIZE) return Math.min(MAX_PAGE_SIZE, GROWTH * size);
  const sentence = `${token} has ${MAX_PAGE_SIZE} ticks or more in the second ${second}, more than can be read.`;
  throw new QuarryError("too-large", sentence);
}

/** A page that was read on another fork is read again; a chain does not fork more often than this in a row. */
const MAX_ATTEMPTS = 4;

async function pageOf(
  connection: Connection,
  { question, token, pinned, ...options }: Walk,
  { until, size }: { until: number; size: number },
): Promise<PlainTick[]> {
  const { signal } = options;
  const body = { ...question, token_address: [token], until_timestamp: until, size };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { tokens, asOf: tip } = await tickPage(connection, body, { signal });
    const data = tokens[0]?.data ?? [];
    if (tip.commit === pinned.commit) return data;
    const stand = await standing(connection, { chain: question.chain, blocks: [pinned, tip], signal });
    if (!stand.includes(pinned)) break;
    if (stand.includes(tip)) return data;
  }
  throw chainChanged("its ticks were read");
}
