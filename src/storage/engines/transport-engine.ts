import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import { identifier, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { onAbort, withAbort } from "../../lib/async/abort.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { parseJsonLines } from "../../lib/async/json-lines.ts";
import { BaseError } from "../../lib/error.ts";
import type { AddressChanges, Engine, QueryLimits, StreamLimits } from "../store.ts";
import { ABANDON_AFTER_MS, AbandonedStatements } from "./abandoned-statements.ts";
import type { StatementSetting } from "./embedded/engine-session.ts";
import {
  EngineClosed,
  EngineUnreachable,
  engineFailure,
  QueryTimeout,
  writeFailure,
} from "./engine-failure.ts";
import { killOnAbort } from "./kill-on-abort.ts";
import { LeaseholderIds } from "./server/lost-writes.ts";
import { tracedStatement } from "./statement-traces.ts";
import type { Statement, Transport, WholeAnswer } from "./transport.ts";

/**
 * Maximum size of an answer to `query`, which keeps its rows both as text and as objects; larger answers need
 * `stream`.
 */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * Answers that cannot be larger than this are read in one piece: a stream delays them by half a millisecond,
 * a large part of a quick query's time. These bytes are outside all memory limits, the engine's and Quarry's.
 */
const BYTES_AT_ONCE = 1024 * 1024;

/** Maximum number of bytes by which the engine may be ahead of the reader of its answer. */
const STREAM_BUFFER_BYTES = 1024 * 1024;

/**
 * Answers read into memory are small: parallel formatting costs up to 0.4 ms and pays off only from 30,000
 * rows on.
 */
const READ_SETTINGS = { output_format_parallel_formatting: 0 };

/**
 * A rollback must be able to drop parts and partitions of any size. An insert must neither be rejected for
 * spanning too many months, nor wait in the server's asynchronous buffer, nor be ignored because the same
 * rows were inserted earlier and have been removed since. All writes have the same settings, because a
 * session has to run one more statement when its settings change.
 */
const WRITE_SETTINGS = {
  max_partition_size_to_drop: 0,
  max_table_size_to_drop: 0,
  max_partitions_per_insert_block: 0,
  async_insert: 0,
  insert_deduplicate: 0,
};

/**
 * Returns an engine over either transport; limits, cancellation, error translation and row parsing are the
 * same for both.
 */
export function engineOver(transport: Transport): EngineWithTransport {
  return new TransportEngine(transport, {
    abandoned: new AbandonedStatements(),
    lostWrites: new Set(),
    process: randomUUID(),
    closed: null,
  });
}

export interface EngineWithTransport extends Engine {
  /** Sends statements without limits, and without translating their errors. */
  readonly transport: Transport;
}

/** The state that an engine shares with the engines that `forLeaseholder` returns. */
interface EngineState {
  readonly abandoned: AbandonedStatements;
  /** The ids of writes that may still be running, although their answers were lost. */
  readonly lostWrites: Set<string>;
  /** Distinguishes the writes of this process. */
  readonly process: string;
  closed: Promise<void> | null;
}

class TransportEngine implements EngineWithTransport {
  readonly transport: Transport;
  readonly addresses?: AddressChanges;
  readonly #state: EngineState;
  readonly #leaseholder: LeaseholderIds | null;

  constructor(transport: Transport, state: EngineState, leaseholder: LeaseholderIds | null = null) {
    this.transport = transport;
    this.#state = state;
    this.#leaseholder = leaseholder;
    if (transport.addresses !== undefined) this.addresses = transport.addresses;
  }

  get abandoned(): AbandonedStatements {
    return this.#state.abandoned;
  }

  forLeaseholder(lease: string): Engine {
    return new TransportEngine(this.transport, this.#state, new LeaseholderIds(lease, this.#state.process));
  }

  async query<R>(text: Sql, limits: QueryLimits = {}): Promise<R[]> {
    const { bytes } = await this.#read(text, "JSONEachRow", limits);
    if (bytes.length > MAX_ANSWER_BYTES) throw new AnswerTooLarge(bytes.length);
    // JSONEachRow escapes line breaks inside values, so each line is a row.
    return parseJsonLines<R>(bytes);
  }

  stream(text: Sql, format: string, limits: StreamLimits = {}): AsyncIterable<Uint8Array> {
    const name = identifier(format).slice(1, -1);
    if (limits.whileRunning !== true) return this.#open(text, name, limits);
    const { maxBytes = Number.POSITIVE_INFINITY } = limits;
    return maxBytes <= BYTES_AT_ONCE
      ? this.#readAtOnce(text, name, limits)
      : this.#streamWhileRunning(text, name, limits);
  }

  async *#readAtOnce(text: Sql, format: string, limits: StreamLimits): AsyncGenerator<Uint8Array> {
    const { bytes, work } = await this.#read(text, format, limits);
    yield bytes;
    limits.onWork?.(work);
  }

  #read(text: Sql, format: string, limits: QueryLimits): Promise<WholeAnswer> {
    return tracedStatement(
      text,
      ({ work }) => work,
      () =>
        this.#bounded(text, limits, ({ settings, ...statement }, stop) =>
          this.transport.read({ ...statement, settings: { ...settings, ...READ_SETTINGS } }, format, stop),
        ),
    );
  }

  async *#open(text: Sql, format: string, limits: StreamLimits): AsyncGenerator<Uint8Array> {
    const { chunks, work } = await tracedStatement(
      text,
      (answer) => answer.work,
      () => this.#bounded(text, limits, (statement, stop) => this.transport.open(statement, format, stop)),
    );
    limits.onWork?.(work);
    try {
      for await (const chunk of chunks) {
        limits.signal?.throwIfAborted();
        yield chunk;
      }
    } catch (error) {
      limits.signal?.throwIfAborted();
      throw engineFailure(error);
    }
  }

  async *#streamWhileRunning(text: Sql, format: string, limits: StreamLimits): AsyncGenerator<Uint8Array> {
    const buffer = new PassThrough({ highWaterMark: STREAM_BUFFER_BYTES });
    const running = tracedStatement(
      text,
      (work) => work,
      () =>
        this.#bounded(text, limits, (statement, signal) =>
          this.transport.streamWhileRunning(statement, format, buffer, signal),
        ),
    );
    running.then(
      () => buffer.end(),
      (error) => buffer.destroy(error),
    );
    try {
      yield* buffer;
    } catch (error) {
      // The statement's own error is more precise than the stream's.
      await running;
      throw error;
    } finally {
      buffer.destroy();
      await running.catch(() => {});
    }
    limits.onWork?.(await running);
  }

  async execute(text: Sql): Promise<void> {
    await this.#write(text, (statement) => this.transport.execute(statement));
  }

  async insert(
    table: string,
    columns: readonly string[],
    rowBinary: Uint8Array[],
    print?: () => Sql,
  ): Promise<void> {
    if (rowBinary.every((chunk) => chunk.length === 0)) return;
    const target = sql`INSERT INTO ${identifier(table)} (${join(columns.map(identifier))})`;
    await this.#write(target, (statement) => this.transport.insert(statement, rowBinary, print));
  }

  get isReplicated(): boolean {
    return this.transport.isReplicated ?? false;
  }

  get hasLostWrites(): boolean {
    return this.#state.lostWrites.size > 0;
  }

  async settleWrites(): Promise<void> {
    const ids = [...this.#state.lostWrites];
    const earlier = this.#leaseholder?.earlier ?? null;
    if (ids.length === 0 && earlier === null && !this.isReplicated) return;
    await this.#translated(async () => this.transport.settle?.({ ids, earlier }), writeFailure);
    for (const id of ids) this.#state.lostWrites.delete(id);
  }

  async #write(text: Sql, run: (statement: Statement) => Promise<void>): Promise<void> {
    const statement = statementOf(text, WRITE_SETTINGS, this.#leaseholder?.next());
    try {
      await tracedStatement(
        statement.sql,
        () => null,
        () => this.#translated(() => run(statement), writeFailure),
      );
    } catch (error) {
      if (error instanceof EngineUnreachable) this.#state.lostWrites.add(statement.id);
      throw error;
    }
  }

  close(): Promise<void> {
    this.#state.closed ??= this.transport.close();
    return this.#state.closed;
  }

  async #bounded<T>(
    text: Sql,
    limits: QueryLimits,
    run: (statement: Statement, stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    limits.signal?.throwIfAborted();
    return withAbort([limits.signal], async (stop) => {
      const { user } = limits;
      const statement = {
        ...statementOf(text, limitSettings(limits)),
        ...(user === undefined ? {} : { user }),
      };
      const cancelTimeout = abortAfter(stop, limits.timeoutMs);
      const stopKilling = killOnAbort(this.transport, statement.id, stop.signal);
      const running = this.#translated(() => run(statement, stop.signal)).finally(stopKilling);
      try {
        const answer = await this.#orAbandoned(running, stop.signal, limits.onAbandoned);
        // A statement that is killed early ends without an error and without its rows.
        stop.signal.throwIfAborted();
        return answer;
      } catch (error) {
        throw stop.signal.aborted ? stop.signal.reason : error;
      } finally {
        cancelTimeout();
      }
    });
  }

  /**
   * Returns the statement's answer; throws soon after the signal aborts, even if the engine does not end the
   * statement.
   */
  async #orAbandoned<T>(
    running: Promise<T>,
    signal: AbortSignal,
    onAbandoned: QueryLimits["onAbandoned"],
  ): Promise<T> {
    const tooLate = Symbol("deadline");
    let cancel = () => {};
    const deadline = new Promise<typeof tooLate>((resolve) => {
      const removeListener = onAbort(signal, () => {
        cancel = systemClock.after(ABANDON_AFTER_MS, () => resolve(tooLate));
      });
      void running.finally(removeListener).catch(() => {});
    });
    try {
      const first = await Promise.race([running, deadline]);
      if (first !== tooLate) return first;
    } finally {
      cancel();
    }
    this.abandoned.add(running);
    onAbandoned?.(running);
    throw signal.reason;
  }

  async #translated<T>(run: () => Promise<T>, failure = engineFailure): Promise<T> {
    if (this.#state.closed !== null) throw new EngineClosed();
    try {
      return await run();
    } catch (error) {
      throw failure(error);
    }
  }
}

function statementOf(
  text: Sql,
  settings: Record<string, number | string>,
  id: string = randomUUID(),
): Statement {
  return { sql: text, id, settings };
}

type LimitSettings = Partial<Record<StatementSetting, number>>;

function limitSettings({ timeoutMs = 0, memoryBytes = 0, blockRows, threads }: QueryLimits): LimitSettings {
  return {
    max_execution_time: timeoutMs / 1000,
    max_memory_usage: Math.floor(memoryBytes),
    ...(blockRows === undefined ? {} : blockSettings(blockRows)),
    ...(threads === undefined ? {} : { max_threads: threads }),
  };
}

/** Number of rows between two marks in most tables. */
const GRANULE_ROWS = 1_024;

/**
 * Returns settings that limit the engine's blocks of rows to this size. Without them, the engine computes
 * more rows at once: it remembers for each granule whether a condition holds for any of its rows, so it reads
 * no less than a granule; it combines small blocks after a JOIN; and if there are many groups, it returns
 * them in 256 blocks.
 */
const smallBlocks = (blockRows: number): LimitSettings => ({
  use_query_condition_cache: 0,
  max_joined_block_size_rows: blockRows,
  min_joined_block_size_rows: 0,
  min_joined_block_size_bytes: 0,
  group_by_two_level_threshold: 0,
  group_by_two_level_threshold_bytes: 0,
});

function blockSettings(blockRows: number): LimitSettings {
  return { max_block_size: blockRows, ...(blockRows < GRANULE_ROWS ? smallBlocks(blockRows) : {}) };
}

/**
 * Aborts after a time limit that includes the wait for a session. The engine's own time limit does not
 * include it. Returns a function that cancels this.
 */
function abortAfter(controller: AbortController, timeoutMs: number | undefined): () => void {
  if (timeoutMs === undefined) return () => undefined;
  return systemClock.after(timeoutMs, () => controller.abort(new QueryTimeout(undefined, timeoutMs)));
}

class AnswerTooLarge extends BaseError {
  constructor(bytes: number) {
    super(
      "too-large",
      `The answer has ${bytes} bytes, but at most ${MAX_ANSWER_BYTES} fit. Stream it or narrow the query.`,
    );
  }
}
