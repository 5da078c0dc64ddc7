import type { Chain } from "../../chains/chain.ts";
import { MemoryRead, type Misses } from "../../serving/memory-read.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import type { Commit } from "../../storage/store.ts";
import {
  type Answer,
  type QueryLimits,
  type Reader,
  readableChain,
  retryOnReorg,
} from "../snapshot/snapshot.ts";
import { type Filled, type FillSource, fillMisses, NOTHING_FILLED } from "./fill-misses.ts";

/**
 * A question about one chain that can be answered from memory. At the same commit, the engine gives the same
 * answer.
 */
export interface ServedQuestion<T> {
  chain: string;
  /** Must be synchronous. The answer is discarded if a value was missing. */
  fromMemory(memory: MemoryRead, chain: Chain): T;
  /** @throws NothingIndexed, ReorganizedDuringRead, and whatever its statements throw */
  fromEngine(reader: Reader, limits: QueryLimits): Promise<Answer<T>>;
}

/** One or more questions, e.g. one for each chain, whose answers make up one reply. */
export interface ServedReply<R> {
  /** Returns the reply from memory, without waiting; null if the store must be read. */
  now(reader: Reader): R | null;
  /** @throws whatever `answerLater` throws */
  later(reader: Reader, limits: QueryLimits): Promise<R>;
}

/**
 * Returns a reply made from the answers to some questions.
 *
 * @param reply makes the reply from the answers, which are in the order of the questions
 * @param instead returns the answer to use for a question that failed; default: the whole reply fails
 */
export function servedReply<T, R>(
  questions: readonly ServedQuestion<T>[],
  reply: (answers: readonly Answer<T>[]) => R,
  instead: (error: unknown) => Answer<T> = rethrow,
): ServedReply<R> {
  return {
    now(reader) {
      const answers = questions.map((question) => answerNow(reader, question));
      const known = answers.filter((answer) => answer !== null);
      return known.length === answers.length ? reply(known) : null;
    },
    later: async (reader, limits) =>
      reply(
        await Promise.all(questions.map((question) => answerLater(reader, question, limits).catch(instead))),
      ),
  };
}

function rethrow(error: unknown): never {
  throw error;
}

/**
 * Maximum number of times that an answer may read missing values from the store. A wallet, for example, needs
 * its trades, then the prices of its tokens. The engine answers a question that needs more reads.
 */
const MAX_FILLS = 3;

/** Returns the answer from memory, without waiting; null if the store must be read. */
export function answerNow<T>(reader: Reader, question: ServedQuestion<T>): Answer<T> | null {
  const { chain, serving } = readableChain(reader, question.chain);
  const commit = serving?.commit ?? null;
  if (serving === undefined || commit === null) return null;
  const memory = new MemoryRead(serving, commit);
  const answer = question.fromMemory(memory, chain);
  if (!memory.isComplete) return null;
  serving.counters.memory++;
  return { answer, asOf: commit };
}

/**
 * Returns the answer from memory, after reading missing values from the store, or from the engine if memory
 * cannot give it.
 *
 * @throws UnknownChain, NothingIndexed, ReorganizedDuringRead, and whatever the reads throw
 */
export function answerLater<T>(
  reader: Reader,
  question: ServedQuestion<T>,
  limits: QueryLimits,
): Promise<Answer<T>> {
  const readable = readableChain(reader, question.chain);
  const { serving } = readable;
  if (serving === undefined) return question.fromEngine(reader, limits);
  return retryOnReorg(async (attempt) => {
    // After a reorg, a state that follows another process may still be behind.
    const filled = attempt === 1 ? await answerFilled({ reader, readable, limits }, serving, question) : null;
    if (filled !== null) return filled;
    serving.counters.engine++;
    return question.fromEngine(reader, limits);
  });
}

async function answerFilled<T>(
  source: FillSource,
  serving: ServingState,
  question: ServedQuestion<T>,
): Promise<Answer<T> | null> {
  let filled: Filled = NOTHING_FILLED;
  let missed: Misses = new Map();
  for (let fills = 0; ; fills++) {
    const { commit } = serving;
    if (commit === null) return null;
    const memory = new MemoryRead(serving, commit, valuesAt(filled, commit));
    const answer = question.fromMemory(memory, source.readable.chain);
    if (memory.isComplete) {
      serving.counters[fills === 0 ? "memory" : "filled"]++;
      return { answer, asOf: commit };
    }
    if (memory.needsWindow) serving.requestWindow();
    if (memory.isImpossible || fills === MAX_FILLS || isWithin(memory.misses, missed)) return null;
    missed = memory.misses;
    const read = await fillMisses(source, { serving, commit }, memory.misses, filled);
    if (read === null) return null;
    filled = read;
  }
}

/**
 * Returns whether all of these keys were already missing earlier. If so, new blocks change them faster than
 * they can be read.
 */
function isWithin(misses: Misses, earlier: Misses): boolean {
  return [...misses].every(([part, keys]) => [...keys].every((key) => earlier.get(part)?.has(key) === true));
}

function valuesAt(filled: Filled, commit: Commit): Filled["values"] | undefined {
  return filled.commit === commit ? filled.values : undefined;
}
