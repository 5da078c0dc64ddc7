import { setMaxListeners } from "node:events";
import { balancerV3Vaults, scopeOf } from "../../chains/chain.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import type { Logger } from "../../lib/log.ts";
import { MINUTE_SECONDS } from "../../lib/seconds.ts";
import type { FillSource } from "../../reads/served/fill-misses.ts";
import { checkServing } from "../../reads/served/self-check.ts";
import type { ReadableChain, Reader } from "../../reads/snapshot/snapshot.ts";
import { ServingState } from "../../serving/serving-state.ts";
import { isCommitLog } from "../../storage/commits/commit-log.ts";
import type { ChainStore } from "../../storage/store.ts";
import { CommitFollower } from "./commit-follower.ts";
import { StateLoader } from "./state-loader.ts";

/**
 * Returns the chains, each with a serving state. The state of a chain that another process may be writing
 * stays empty until `keepServing` keeps it current.
 *
 * @param bytes memory of a chain's state; 0: the chains get no state
 * @param written the chain that this process writes, if any
 */
export function withServing(
  chains: readonly ReadableChain[],
  bytes: number,
  written: ChainStore | undefined,
): Promise<ReadableChain[]> {
  return Promise.all(
    chains.map(async (readable) => {
      if (bytes === 0) return readable;
      const serving = new ServingState(bytes, scopeOf(readable.chain), balancerV3Vaults(readable.chain));
      if (!isCommitLog(readable.store)) serving.startAt(await readable.store.committed());
      if (readable.store === written) written.follow(serving);
      return { ...readable, serving };
    }),
  );
}

/** How often a chain's state is compared with the store; each comparison takes the engine about 50 ms. */
const CHECK_SECONDS = 5 * MINUTE_SECONDS;

/** Limits of one read that loads or checks a state, as for one large request. */
const READ_LIMITS = { timeoutMs: 30_000, memoryBytes: 2 ** 30 };

/**
 * Maximum wait for the newest commits before the service listens. A store that does not respond affects only
 * its own chains.
 */
const FIRST_LOOK_MS = 2_000;

interface Work {
  logger: Logger;
  clock: Clock;
}

interface KeepOptions {
  logger: Logger;
  /** Ends the work. */
  signal: AbortSignal;
  clock?: Clock;
}

/**
 * Keeps the serving states of all chains at their newest commits. Loads them in the background, and compares
 * them with the store from time to time. Resolves once each state has its chain's newest commit, which the
 * first streams need, or has failed to get it in time.
 */
export async function keepServing(
  reader: Reader,
  { logger, signal, clock = systemClock }: KeepOptions,
): Promise<void> {
  // Every statement adds a listener, and following a block takes a statement for each table, so Node's leak
  // warning would be wrong.
  setMaxListeners(0, signal);
  const looks = reader.chains.map((readable) => {
    const source = { reader, readable, limits: { ...READ_LIMITS, signal } };
    return keepState(source, { logger, clock });
  });
  await new Promise<void>((resolve) => {
    const cancel = clock.after(FIRST_LOOK_MS, resolve);
    void Promise.all(looks).then(cancel).then(resolve);
  });
}

/** Keeps a state current in the background. Resolves after the first query for the newest commit. */
async function keepState(source: FillSource, work: Work): Promise<void> {
  const { serving, store } = source.readable;
  if (serving === undefined) return;
  if (!isCommitLog(store)) return startState(source, serving, work);
  const follower = new CommitFollower(source, serving, store, work);
  await follower.step();
  void follower.run(() => startState(source, serving, work));
}

/** Loads a state that has a commit, and checks it from then on. */
function startState(source: FillSource, serving: ServingState, { logger, clock }: Work): void {
  void new StateLoader(source, serving, { logger, clock }).run();
  void checkRepeatedly(source, logger, clock);
}

async function checkRepeatedly(source: FillSource, logger: Logger, clock: Clock): Promise<void> {
  const { signal } = source.limits;
  while (signal?.aborted === false) {
    await unlessAborted(signal, () => clock.sleep(CHECK_SECONDS * 1000, signal));
    if (!signal.aborted) await checkOnce(source, logger);
  }
}

/**
 * Compares the state with the store. A state that differs must not be used any more, so it is emptied and
 * refilled.
 */
async function checkOnce({ reader, readable, limits }: FillSource, logger: Logger): Promise<void> {
  const { chain, serving } = readable;
  try {
    const mismatches = await checkServing(reader, readable, limits);
    if (serving === undefined || mismatches.length === 0) return;
    serving.counters.mismatches += mismatches.length;
    const [first] = mismatches;
    logger.error(
      { chain: chain.name, mismatches: mismatches.length, first },
      "memory differs from the store",
    );
    serving.startAt(serving.position);
  } catch (error) {
    if (limits.signal?.aborted) return;
    logger.warn(
      { chain: chain.name, reason: (error as Error).message },
      "could not compare memory with the store",
    );
  }
}
