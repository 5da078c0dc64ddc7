import { mkdir, rm } from "node:fs/promises";
import { join as joinPath, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ChdbResult } from "chdb";
import { type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { yieldToEventLoop } from "../../lib/threads/thread-priority.ts";
import type { QueryWork } from "../store.ts";
import { makePipes, streamThroughPipe, writeChunks } from "./embedded/answer-pipe.ts";
import { EngineSession } from "./embedded/engine-session.ts";
import { AnswerMemory, ReceivedAnswer } from "./embedded/received-answer.ts";
import { SessionPool } from "./embedded/session-pool.ts";
import {
  CONNECTION_SETTINGS,
  type OpenedAnswer,
  type Statement,
  type Transport,
  type WholeAnswer,
} from "./transport.ts";
import { type EngineWithTransport, engineOver } from "./transport-engine.ts";

export interface EmbeddedEngineOptions {
  /** The engine's own directory: one per process. */
  path: string;
  /**
   * Maximum number of queries that run at once; default 7. One of these is reserved for the service itself.
   */
  sessions?: number;
  /**
   * Maximum memory of all queries and merges together; exceeding it fails with `memory`. Default: the
   * engine's own limit, 90 % of the machine's memory.
   */
  memoryBytes?: number;
}

/**
 * More sessions than a few cores can use, so that quick queries can run while several slow ones do; few
 * enough that libuv's pool needs at most 16 threads.
 */
const READ_SESSIONS = 7;

/**
 * Number of read sessions that only the service itself uses, so that indexing never waits for clients'
 * queries.
 */
const OWN_READ_SESSIONS = 1;

/**
 * Maximum number of waiting queries. At 1,000 queries a second, this many are served before a client times
 * out.
 */
const MAX_WAITING_QUERIES = 256;

/** Writes have their own sessions, so that slow queries never delay a commit. */
const WRITE_SESSIONS = 4;

/**
 * Maximum number of waiting writes. A writer waits only for its own tables, so a longer queue would indicate
 * a leak.
 */
const MAX_WAITING_WRITES = 1024;

const MAX_WAITING_KILLS = 64;

/** Number of threads that stay free for files and DNS while every session is busy. */
const SPARE_THREADS = 4;

/**
 * Sizes of the engine's caches. The defaults are 5 GiB each, but an index of hundreds of millions of rows
 * needs far less. The system's page cache does the rest.
 */
const CACHE_SETTINGS = {
  mark_cache_size: 256 * 1024 ** 2,
  primary_index_cache_size: 256 * 1024 ** 2,
  index_mark_cache_size: 64 * 1024 ** 2,
};

/** Memory for answers that the engine has completed and their clients have yet to read; the rest is in files. */
const ANSWER_MEMORY_BYTES = 64 * 1024 ** 2;

/**
 * Opens the in-process engine (chDB). Throws `bad-config` if libuv's thread pool is too small for the
 * sessions, and `data-directory` if the directory is in use or cannot be opened.
 *
 * Writes are not synced to disk individually: commits survive any crash of the process, but not a power loss
 * (see the `fsync` option of `openChainStore`).
 */
export async function openEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EngineWithTransport> {
  const readers = options.sessions ?? READ_SESSIONS;
  requireThreads(readers + WRITE_SESSIONS + 1 + SPARE_THREADS);
  const transfer = joinPath(resolve(options.path), "transfer");
  const library = await loadLibrary();
  const sessions = openSessions(library, options, readers + WRITE_SESSIONS + 1);
  yieldToEventLoop();
  await rm(transfer, { recursive: true, force: true });
  await mkdir(transfer, { recursive: true });
  await makePipes(sessions.slice(0, readers).map((_, i) => joinPath(transfer, `pipe-${i}`)));
  return engineOver(new EmbeddedTransport(sessions, transfer, readers));
}

/** Each running statement blocks a thread of libuv's pool, which by default has four. */
function requireThreads(needed: number): void {
  const given = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  if (!(given >= needed)) throw new TooFewThreads(given, needed);
}

type Library = typeof import("chdb");

/**
 * Loads the library on demand: it is large and not available on every platform, and clients of a service do
 * not need it.
 */
async function loadLibrary(): Promise<Library> {
  try {
    return await import("chdb");
  } catch (cause) {
    throw new EngineNotLoaded(cause);
  }
}

function openSessions({ Session }: Library, options: EmbeddedEngineOptions, count: number): EngineSession[] {
  const settings = { ...CONNECTION_SETTINGS, ...CACHE_SETTINGS };
  const connectionArgs = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  if (options.memoryBytes !== undefined) {
    connectionArgs.push(`--max_server_memory_usage=${Math.floor(options.memoryBytes)}`);
  }
  const sessions: EngineSession[] = [];
  try {
    for (let i = 0; i < count; i++) {
      sessions.push(new EngineSession(new Session(options.path, { connectionArgs })));
    }
    return sessions;
  } catch (cause) {
    for (const session of sessions) session.close();
    throw new EngineNotOpened(options.path, cause);
  }
}

interface ReadSession {
  session: EngineSession;
  /** The named pipe into which the session writes its streamed answers. */
  pipe: string;
}

class EmbeddedTransport implements Transport {
  readonly #sessions: readonly EngineSession[];
  readonly #readers: SessionPool<ReadSession>;
  readonly #writers: SessionPool<EngineSession>;
  readonly #control: SessionPool<EngineSession>;
  /** Busy sessions, by the ids of their statements. */
  readonly #running = new Map<string, EngineSession>();
  readonly #transfer: string;
  readonly #memory = new AnswerMemory(ANSWER_MEMORY_BYTES);

  constructor(sessions: readonly EngineSession[], transfer: string, readers: number) {
    this.#sessions = sessions;
    this.#transfer = transfer;
    this.#readers = new SessionPool(
      sessions.slice(0, readers).map((session, i) => ({ session, pipe: joinPath(transfer, `pipe-${i}`) })),
      { maxWaiting: MAX_WAITING_QUERIES, own: Math.min(OWN_READ_SESSIONS, readers - 1) },
    );
    this.#writers = new SessionPool(sessions.slice(readers, -1), { maxWaiting: MAX_WAITING_WRITES });
    this.#control = new SessionPool(sessions.slice(-1), { maxWaiting: MAX_WAITING_KILLS });
  }

  async read(statement: Statement, format: string, signal: AbortSignal): Promise<WholeAnswer> {
    const result = await this.#readers.use(({ session }) => this.#run(session, statement, format), {
      signal,
      user: statement.user,
    });
    return { bytes: result.bytes(), work: workOf(result) };
  }

  /**
   * Answers go through a pipe, because the engine's own stream has four faults: it repeats headers and
   * footers in each piece, which breaks Parquet, Arrow and CSV; it evaluates scalar subqueries in Node's main
   * thread; it occupies a session while the client reads; and it can fail in the middle.
   */
  async open(statement: Statement, format: string, signal: AbortSignal): Promise<OpenedAnswer> {
    const answer = new ReceivedAnswer(joinPath(this.#transfer, `${statement.id}.out`), this.#memory);
    try {
      const consume = (chunks: Readable) => answer.receive(chunks);
      const work = await this.#readers.use((reader) => this.#stream(reader, statement, format, consume), {
        signal,
        user: statement.user,
      });
      signal.throwIfAborted();
      return { chunks: answer.read(), work };
    } catch (error) {
      await answer.discard();
      throw error;
    }
  }

  streamWhileRunning(
    statement: Statement,
    format: string,
    into: Writable,
    signal: AbortSignal,
  ): Promise<QueryWork> {
    const consume = (chunks: Readable) => pipeline(chunks, into, { end: false });
    return this.#readers.use((reader) => this.#stream(reader, statement, format, consume), {
      signal,
      user: statement.user,
    });
  }

  /** @param consume reads the pipe to its end */
  async #stream(
    { session, pipe }: ReadSession,
    statement: Statement,
    format: string,
    consume: (chunks: Readable) => Promise<void>,
  ): Promise<QueryWork> {
    const outfile = sql`${statement.sql} INTO OUTFILE ${text(pipe)} TRUNCATE FORMAT ${format as Sql}`;
    const result = await streamThroughPipe(pipe, consume, {
      write: () => this.#run(session, { ...statement, sql: outfile }, format),
      stop: () => void this.kill(statement.id).catch(() => {}),
    });
    return workOf(result);
  }

  async execute(statement: Statement): Promise<void> {
    await this.#writers.use((session) => this.#run(session, statement, "TabSeparated"));
  }

  /** Inserts encoded rows from files: bytes above 0x7f do not survive the engine's text interface. */
  async insert(statement: Statement, rowBinary: readonly Uint8Array[], print?: () => Sql): Promise<void> {
    if (print !== undefined) {
      await this.execute({ ...statement, sql: sql`${statement.sql} VALUES ${print()}` });
      return;
    }
    const file = joinPath(this.#transfer, `${statement.id}.in`);
    try {
      await writeChunks(file, rowBinary);
      await this.execute({
        ...statement,
        sql: sql`${statement.sql} SELECT * FROM file(${text(file)}, RowBinary)`,
      });
    } finally {
      await rm(file, { force: true });
    }
  }

  async kill(id: string): Promise<void> {
    const killed = this.#running.get(id);
    if (killed === undefined) return;
    const statement = { sql: killed.killStatement(), settings: {} };
    await this.#control.use((session) => session.run(statement, "TabSeparated"));
  }

  async #run(session: EngineSession, statement: Statement, format: string): Promise<ChdbResult> {
    this.#running.set(statement.id, session);
    try {
      return await session.run(statement, format);
    } finally {
      this.#running.delete(statement.id);
    }
  }

  /** Waits until all sessions are idle, because closing a busy one aborts the engine. */
  async close(): Promise<void> {
    await Promise.all([this.#readers.close(), this.#writers.close()]);
    await this.#control.close();
    const { drainPending } = await loadLibrary();
    await drainPending();
    for (const session of this.#sessions) session.close();
    await drainPending();
    await rm(this.#transfer, { recursive: true, force: true });
  }
}

/** chDB's `rowsRead` is the number of rows in the answer; chDB does not report how many rows it read. */
function workOf({ rowsRead: rows }: ChdbResult): QueryWork {
  return { rows, rowsRead: null };
}

class TooFewThreads extends BaseError {
  constructor(given: number, needed: number) {
    super(
      "bad-config",
      `UV_THREADPOOL_SIZE is ${given}, but the database in this process needs at least ${needed} threads. ` +
        "Set UV_THREADPOOL_SIZE=16 in the environment before the process starts.",
    );
  }
}

class EngineNotOpened extends BaseError {
  constructor(path: string, cause: unknown) {
    super(
      "data-directory",
      `Cannot open the database in ${path}. It may be in use by another process, damaged, or not writable; ` +
        "only one process can open a data directory at a time.",
      { cause },
    );
  }
}

/** Platforms that the embedded engine's library supports, and the alternative. */
export const ENGINE_NEEDS =
  "It needs Linux with glibc (not Alpine's musl) or macOS, on x64 with SSE 4.2 or arm64: reinstall on such a machine " +
  "(npm ci), or use a ClickHouse server (--clickhouse).";

class EngineNotLoaded extends BaseError {
  constructor(cause: unknown) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split("\n");
    super("engine", `The embedded engine does not load: ${reason}. ${ENGINE_NEEDS}`, { cause });
  }
}
