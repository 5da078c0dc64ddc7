import { onAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import { sizeLevel } from "../../lib/queues/turn-times.ts";
import { inThisSpan } from "../../lib/tracing/tracing.ts";
import { type PreparedQuery, runClientQuery } from "../../reads/client-sql/client-sql.ts";
import { type Commit, commitFor, isSameCommit, type Reader } from "../../reads/snapshot/snapshot.ts";
import { type AdmissionQueue, type Caller, ClientClosed } from "../admission/fair-queue.ts";
import { type ApiLimits, queryLimits } from "../admission/limits.ts";
import { ClientHoldsTooMuch } from "../answers/unread/answer-disk.ts";
import { bufferAnswer } from "../answers/unread/buffered-answer.ts";
import { type KeptAnswer, KeptAnswers } from "./kept-answers.ts";
import { distribute, type RunResult, SharedRun, type SqlWaiter } from "./shared-run.ts";
import type { SqlAnswer, SqlRequest } from "./sql-answer.ts";

interface SharedSqlOptions {
  reader: Reader;
  /** Only `sqlCacheBytes` is used here, because each request has its own limits. */
  limits: Pick<ApiLimits, "sqlCacheBytes">;
  queue: AdmissionQueue;
  /** The turns of all requests on the event loop. */
  turns: FairTurns;
  clock: Clock;
  /** Called when a query has run, successfully or not, for its client. */
  onRun?(client: string, ms: number): void;
}

type RunLimits = ReturnType<typeof queryLimits>;

/**
 * Runs clients' SQL. Identical requests at one commit share one run, and a small answer is kept until the
 * next commit of its chain. Each request has its own place in the queue until a query that answers it runs,
 * so no client waits longer because of another.
 */
export class SharedSql {
  /** Number of answers by source: the request's own run, another request's run, or a kept answer. */
  readonly counters = { run: 0, shared: 0, kept: 0 };
  readonly #options: SharedSqlOptions;
  readonly #kept: KeptAnswers;
  /** Waiting and running runs by identity. */
  readonly #runs = new Map<string, Set<SharedRun>>();

  constructor(options: SharedSqlOptions) {
    this.#options = options;
    this.#kept = new KeptAnswers(options.limits.sqlCacheBytes);
  }

  get use(): KeptAnswers["use"] {
    return this.#kept.use;
  }

  /** @throws SqlError, ClientOverload, ServiceOverload, ClientClosed, and whatever the query throws */
  async answer(request: SqlRequest, caller: Caller): Promise<SqlAnswer> {
    const kept = this.#kept.newest(request.identity);
    if (kept !== null) return this.#keptAnswer(kept);
    if (caller.signal.aborted) throw new ClientClosed();
    return new Promise((resolve, reject) => {
      const settle = () => {
        removeListener();
        waiter.run = null;
      };
      const waiter: SqlWaiter = {
        request,
        caller,
        arrivedMs: this.#options.clock.monotonic(),
        inSpan: inThisSpan(),
        run: null,
        resolve(answer) {
          settle();
          resolve(answer);
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      const removeListener = onAbort(caller.signal, () => {
        waiter.run?.leave(waiter);
        waiter.reject(new ClientClosed());
      });
      this.#join(waiter);
    });
  }

  /** Joins a run as of the newest commit; if there is none, enters the queue. */
  #join(waiter: SqlWaiter): void {
    const running = this.#runsOf(waiter.request).find((run) => isAsOfNewest(run, waiter.request));
    if (running === undefined) this.#enter(new SharedRun(waiter, false));
    else running.add(waiter);
  }

  #enter(run: SharedRun): void {
    const { identity } = run.request;
    this.#runs.set(identity, (this.#runs.get(identity) ?? new Set()).add(run));
    this.#inQueue(run)
      .catch((error: unknown) => this.#fail(run, error))
      .finally(() => this.#forget(run));
  }

  async #inQueue(run: SharedRun): Promise<void> {
    const { caller, inSpan } = run.owner;
    const stopsLate = await inSpan(() => this.#stopsLate(run));
    await inSpan(() =>
      this.#options.queue.run({ ...caller, stopsLate, signal: run.signal }, (signal, slot) =>
        inSpan(() => this.#execute(run, queryLimits(run.request.limits, signal, slot))),
      ),
    );
  }

  /**
   * Compiles a query before it enters the queue, so that queries with errors take no places there. Returns
   * whether it stops late. It is compiled again when it runs: compiling is short, and the compiled queries of
   * a full queue could take much memory.
   */
  async #stopsLate(run: SharedRun): Promise<boolean> {
    try {
      return (await this.#compile(run, run.signal)).compiled.stopsLate;
    } catch (error) {
      for (const waiter of run.release()) waiter.reject(error);
      throw error;
    }
  }

  /** Compiles a query when it is its turn: it may take a tenth of a second. */
  async #compile({ owner: { caller, request } }: SharedRun, signal: AbortSignal): Promise<PreparedQuery> {
    const turn = this.#options.turns.next(caller.client, `compile ${sizeLevel(request.identity.length)}`);
    // Waiting for nothing would let other requests take the same time of the event loop.
    if (turn !== null) await turn;
    signal.throwIfAborted();
    return request.prepare();
  }

  /** Called when it is the run's turn, and again after each preemption. */
  async #execute(run: SharedRun, limits: RunLimits): Promise<void> {
    try {
      const query = await this.#compile(run, limits.signal);
      const commit = query.readable && (await commitFor(query.readable, 1, limits));
      limits.signal.throwIfAborted();
      if (!this.#isAnswered(run, query, commit)) return await this.#run(run, limits, query, commit);
    } catch (error) {
      run.execution = null;
      run.keepsPlace = true;
      // A preempted run keeps its place and waits for another turn. The other requests get runs of their own.
      const isPreempted = limits.signal.aborted && !run.signal.aborted;
      if (isPreempted) for (const waiter of run.releaseOthers()) this.#enter(new SharedRun(waiter, true));
      else if (!(error instanceof ClientHoldsTooMuch)) {
        for (const waiter of run.release()) waiter.reject(error);
      }
      throw error;
    }
    throw new AnsweredByAnother();
  }

  /** Returns true if another run has produced the answer, or will. */
  #isAnswered(run: SharedRun, { compiled }: PreparedQuery, commit: Commit | null): boolean {
    if (commit === null) return false;
    const { identity, now } = run.request;
    const kept = compiled.usesNow ? null : this.#kept.at(identity, commit);
    if (kept !== null) {
      for (const waiter of run.release()) waiter.resolve(this.#keptAnswer(kept));
      run.end();
    }
    const other = this.#runsOf(run.request).find((one) => isAsOf(one, commit, now));
    if (kept === null && !run.keepsPlace) other?.takeOver(run);
    return !run.isWaiting;
  }

  async #run(run: SharedRun, limits: RunLimits, query: PreparedQuery, commit: Commit | null): Promise<void> {
    const { usesNow } = query.compiled;
    const startedMs = this.#options.clock.monotonic();
    run.execution = { readable: query.readable, commit, usesNow, startedMs };
    const followers = this.#gather(run, usesNow);
    const result = await this.#read(run, query, commit, limits).finally(() =>
      this.#options.onRun?.(run.owner.caller.client, this.#options.clock.monotonic() - startedMs),
    );
    run.execution = null;
    this.#keep(run.request.identity, query, result);
    this.#settle([run, ...followers.filter(({ isWaiting }) => isWaiting)], result, startedMs);
  }

  /**
   * Takes over the requests of waiting runs that need the same answer. Runs that must keep their places in
   * the queue stay there and are returned; they receive the answer if there is one.
   */
  #gather(run: SharedRun, usesNow: boolean): SharedRun[] {
    const waiting = this.#runsOf(run.request).filter(
      (other) => other !== run && other.isWaiting && (!usesNow || other.request.now === run.request.now),
    );
    for (const other of waiting) if (!other.keepsPlace) run.takeOver(other);
    return waiting.filter(({ keepsPlace }) => keepsPlace);
  }

  async #read(
    { owner: { request, caller } }: SharedRun,
    query: PreparedQuery,
    commit: Commit | null,
    limits: RunLimits,
  ): Promise<RunResult> {
    const { convert = (pieces) => pieces } = request;
    const { answer, asOf } = await runClientQuery(this.#options.reader, query, {
      limits,
      commit,
      collect: (pieces) => bufferAnswer(convert(pieces), request.limits, caller.client),
    });
    const { collected: body, ...facts } = answer;
    return { ...facts, asOf, body };
  }

  #keep(identity: string, { readable, compiled }: PreparedQuery, { body, ...facts }: RunResult): void {
    const { asOf } = facts;
    if (readable === null || asOf === null || compiled.usesNow || body.whole === null) return;
    this.#kept.keep(identity, readable, { ...facts, asOf }, body.whole);
  }

  #settle(runs: readonly SharedRun[], result: RunResult, startedMs: number): void {
    const waiters = runs.flatMap((run) => run.release());
    for (const run of runs) run.end();
    if (waiters.length > 0) this.counters.run++;
    this.counters.shared += Math.max(0, waiters.length - 1);
    distribute(result, waiters, { startedMs, endedMs: this.#options.clock.monotonic() });
  }

  #keptAnswer(kept: KeptAnswer): SqlAnswer {
    this.counters.kept++;
    return { ...kept, elapsedMs: 0 };
  }

  /**
   * Handles a run that the queue rejected, or whose client has too many unread answers. Only the run's owner
   * is rejected: other requests that have joined the run get their own places.
   */
  #fail(run: SharedRun, error: unknown): void {
    for (const waiter of run.release()) {
      if (waiter === run.owner) waiter.reject(error);
      else this.#enter(new SharedRun(waiter, true));
    }
  }

  #forget(run: SharedRun): void {
    const { identity } = run.request;
    const runs = this.#runs.get(identity);
    runs?.delete(run);
    if (runs?.size === 0) this.#runs.delete(identity);
  }

  #runsOf({ identity }: SqlRequest): SharedRun[] {
    return [...(this.#runs.get(identity) ?? [])];
  }
}

/**
 * Returns whether a run's answer is as of the newest commit; false if that commit is not known without a
 * query.
 */
function isAsOfNewest(run: SharedRun, { now }: SqlRequest): boolean {
  const commit = run.running?.readable?.serving?.commit ?? null;
  return commit !== null && isAsOf(run, commit, now);
}

function isAsOf({ running, request }: SharedRun, commit: Commit, now: number): boolean {
  if (running === null || running.commit === null) return false;
  return isSameCommit(running.commit, commit) && (!running.usesNow || request.now === now);
}

/** Ends a run that did no work. The queue must not count it as quick, because its kind may be slow. */
class AnsweredByAnother extends BaseError {
  constructor() {
    super("internal", "the answer of another run is used");
  }
}
