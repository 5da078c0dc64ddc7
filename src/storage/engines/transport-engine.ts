import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import { identifier, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Engine, QueryLimits, StreamLimits } from "../store.ts";
import { EngineClosed, engineFailure, QueryTimeout } from "./engine-failure.ts";
import type { Statement, Transport, WholeAnswer } from "./transport.ts";

/** Rows of `query` are held as text and as objects; beyond this they belong into `stream`. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * What is surely no larger is taken as it is: through a stream it would come half a millisecond later, which is much of a
 * quick query. No limit of the engine's counts what is held then, here and there.
 */
const BYTES_AT_ONCE = 1024 * 1024;

/** What the engine may be ahead of whoever takes its answer. */
const POURED_AHEAD_BYTES = 1024 * 1024;

/** A statement that has not begun yet cannot be killed, so the kill is repeated until it has ended. */
const KILL_AGAIN_MS = 100;

/**
 * One insert must not be turned down for the months it spans, nor wait in the server's collecting buffer.
 */
const INSERT_SETTINGS = { max_partitions_per_insert_block: 0, async_insert: 0 };

/** What is held in memory is small: to have threads print it takes up to 0.4 ms, and pays from 30,000 rows on. */
const READ_SETTINGS = { output_format_parallel_formatting: 0 };

/** Dropping parts and partitions on a rollback must not depend on their size. */
const WRITE_SETTINGS = { max_partition_size_to_drop: 0, max_table_size_to_drop: 0, async_insert: 0 };

/** An Engine over either transport: limits, cancelling, error translation and row reading are the same. */
export function engineOver(transport: Transport): Engine {
  return new TransportEngine(transport);
}

class TransportEngine implements Engine {
  readonly #transport: Transport;
  #closed: Promise<void> | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async query<R>(text: Sql, limits: QueryLimits = {}): Promise<R[]> {
    const { bytes } = await this.#read(text, "JSONEachRow", limits);
    return rowsOf<R>(bytes);
  }

  stream(text: Sql, format: string, limits: StreamLimits = {}): AsyncIterable<Uint8Array> {
    const name = identifier(format).slice(1, -1);
    if (limits.whileRunning !== true) return this.#open(text, name, limits);
    const { maxBytes = Number.POSITIVE_INFINITY } = limits;
    return maxBytes <= BYTES_AT_ONCE ? this.#readAtOnce(text, name, limits) : this.#pour(text, name, limits);
  }

  async *#readAtOnce(text: Sql, format: string, limits: StreamLimits): AsyncGenerator<Uint8Array> {
    const { bytes, work } = await this.#read(text, format, limits);
    yield bytes;
    limits.onWork?.(work);
  }

  #read(text: Sql, format: string, limits: QueryLimits): Promise<WholeAnswer> {
    return this.#bounded(text, limits, ({ settings, ...statement }, stop) =>
      this.#transport.read({ ...statement, settings: { ...settings, ...READ_SETTINGS } }, format, stop),
    );
  }

  async *#open(text: Sql, format: string, limits: StreamLimits): AsyncGenerator<Uint8Array> {
    const { chunks, work } = await this.#bounded(text, limits, (statement, stop) =>
      this.#transport.open(statement, format, stop),
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

  async *#pour(text: Sql, format: string, limits: StreamLimits): AsyncGenerator<Uint8Array> {
    const into = new PassThrough({ highWaterMark: POURED_AHEAD_BYTES });
    const poured = this.#bounded(text, limits, (statement, signal) =>
      this.#transport.pour(statement, format, { signal, into }),
    );
    poured.then(
      () => into.end(),
      (error) => into.destroy(error),
    );
    try {
      yield* into;
    } catch (error) {
      // Why the pouring ended says more than that it did.
      await poured;
      throw error;
    } finally {
      into.destroy();
      await poured.catch(() => {});
    }
    limits.onWork?.(await poured);
  }

  async execute(text: Sql): Promise<void> {
    await this.#translated(() => this.#transport.execute(statementOf(text, WRITE_SETTINGS)));
  }

  async insert(table: string, columns: readonly string[], rowBinary: Uint8Array[]): Promise<void> {
    if (rowBinary.every((chunk) => chunk.length === 0)) return;
    const target = sql`INSERT INTO ${identifier(table)} (${join(columns.map(identifier))})`;
    await this.#translated(() => this.#transport.insert(statementOf(target, INSERT_SETTINGS), rowBinary));
  }

  close(): Promise<void> {
    this.#closed ??= this.#transport.close();
    return this.#closed;
  }

  async #bounded<T>(
    text: Sql,
    limits: QueryLimits,
    run: (statement: Statement, stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    limits.signal?.throwIfAborted();
    const stop = new AbortController();
    const release = stopOnLimits(stop, limits);
    const statement = statementOf(text, limitSettings(limits));
    const endKilling = this.#killOnAbort(statement.id, stop.signal);
    try {
      const answer = await this.#translated(() => run(statement, stop.signal));
      // A statement that is killed early on ends without an error, and without its rows.
      stop.signal.throwIfAborted();
      return answer;
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      endKilling();
      release();
    }
  }

  #killOnAbort(id: string, stop: AbortSignal): () => void {
    let timer: NodeJS.Timeout | undefined;
    const kill = () => void this.#transport.kill(id).catch(() => {});
    const begin = () => {
      kill();
      timer = setInterval(kill, KILL_AGAIN_MS);
    };
    stop.addEventListener("abort", begin, { once: true });
    return () => {
      stop.removeEventListener("abort", begin);
      clearInterval(timer);
    };
  }

  async #translated<T>(run: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new EngineClosed();
    try {
      return await run();
    } catch (error) {
      throw engineFailure(error);
    }
  }
}

function statementOf(text: Sql, settings: Record<string, number | string>): Statement {
  return { sql: text, id: randomUUID(), settings };
}

function limitSettings({ timeoutMs = 0, memoryBytes = 0 }: QueryLimits): Record<string, number> {
  return { max_execution_time: timeoutMs / 1000, max_memory_usage: Math.floor(memoryBytes) };
}

/** The limit covers the wait for a session too, which the engine's own clock does not see. */
function stopOnLimits(stop: AbortController, { timeoutMs, signal }: QueryLimits): () => void {
  const onAbort = () => stop.abort(signal?.reason);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => stop.abort(new QueryTimeout(undefined, timeoutMs)), timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

/** JSONEachRow escapes line ends inside values, so each line is a row. */
function rowsOf<R>(answer: Uint8Array): R[] {
  if (answer.length > MAX_ANSWER_BYTES) throw new AnswerTooLarge(answer.length);
  const lines = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength).toString("utf8").trimEnd();
  return JSON.parse(`[${lines.replaceAll("\n", ",")}]`) as R[];
}

class AnswerTooLarge extends BaseError {
  constructor(bytes: number) {
    super(
      "too-large",
      `The answer has ${bytes} bytes; at most ${MAX_ANSWER_BYTES} fit. Stream it, or ask for less.`,
    );
  }
}
