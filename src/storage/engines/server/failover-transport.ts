import type { Writable } from "node:stream";
import type { QueryWork } from "../../store.ts";
import { EngineUnreachable, engineFailure } from "../engine-failure.ts";
import {
  type OpenedAnswer,
  pipeAnswer,
  type Statement,
  type Transport,
  type WholeAnswer,
} from "../transport.ts";

/**
 * Sends statements to one of several addresses of the same server, and to the next one once that address no
 * longer responds. A read is repeated there. A write is repeated only if it cannot have reached the server:
 * otherwise it may have been done, which the caller must find out.
 */
export class FailoverTransport implements Transport {
  readonly #transports: readonly Transport[];
  #current = 0;

  constructor(transports: readonly Transport[]) {
    this.#transports = transports;
  }

  read(statement: Statement, format: string, signal: AbortSignal): Promise<WholeAnswer> {
    return this.#failOver((to, again) => to.read(again(statement), format, signal), isUnreachable, signal);
  }

  open(statement: Statement, format: string, signal: AbortSignal): Promise<OpenedAnswer> {
    return this.#failOver((to, again) => to.open(again(statement), format, signal), isUnreachable, signal);
  }

  async streamWhileRunning(
    statement: Statement,
    format: string,
    into: Writable,
    signal: AbortSignal,
  ): Promise<QueryWork> {
    return pipeAnswer(await this.open(statement, format, signal), into);
  }

  execute(statement: Statement): Promise<void> {
    return this.#failOver((to) => to.execute(statement), isUnsent);
  }

  insert(statement: Statement, rowBinary: readonly Uint8Array[]): Promise<void> {
    return this.#failOver((to) => to.insert(statement, rowBinary), isUnsent);
  }

  kill(id: string): Promise<void> {
    return this.#failOver((to) => to.kill(id), isUnreachable);
  }

  end(ids: readonly string[]): Promise<void> {
    return this.#failOver(async (to) => to.end?.(ids), isUnreachable);
  }

  async close(): Promise<void> {
    await Promise.all(this.#transports.map((transport) => transport.close()));
  }

  /** Runs a statement; if it fails in a way that allows it, on each of the other addresses. */
  async #failOver<T>(
    run: (transport: Transport, again: (statement: Statement) => Statement) => Promise<T>,
    mayRepeat: (error: unknown) => boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const used = this.#current;
      try {
        const again = attempt === 1 ? unchanged : replacing;
        return await run(this.#transports[used] as Transport, again);
      } catch (error) {
        // Another statement may have failed here before, and have changed the address.
        if (isUnreachable(error) && this.#current === used)
          this.#current = (used + 1) % this.#transports.length;
        if (attempt === this.#transports.length || signal?.aborted === true || !mayRepeat(error)) throw error;
      }
    }
  }
}

const unchanged = (statement: Statement) => statement;

/** Makes the server end the first run, which may go on, and which has the same id. */
function replacing({ settings, ...statement }: Statement): Statement {
  return { ...statement, settings: { ...settings, replace_running_query: 1 } };
}

function isUnreachable(error: unknown): boolean {
  return engineFailure(error) instanceof EngineUnreachable;
}

/** Failures that come before a connection exists. */
const UNSENT_CODES: readonly unknown[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

/** Returns whether a statement failed before anything of it was sent. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof EngineUnreachable ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.every(isUnsent);
  const { code, syscall } = cause as NodeJS.ErrnoException;
  return UNSENT_CODES.includes(code) || syscall === "connect";
}
