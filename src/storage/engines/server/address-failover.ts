import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { EngineUnreachable, engineFailure } from "../engine-failure.ts";

/** Where a statement is sent, and the settings that it needs there in addition to its own. */
export interface Address {
  client: ClickHouseClient;
  settings: ClickHouseSettings;
}

type Send<T> = (address: Address) => Promise<T>;

/**
 * Sends statements to one of several addresses of the same server, and to the next one once that address no
 * longer responds.
 */
export class AddressFailover {
  readonly #clients: readonly ClickHouseClient[];
  #current = 0;

  /** @param clients of the addresses, at least one */
  constructor(clients: readonly ClickHouseClient[]) {
    this.#clients = clients;
  }

  get count(): number {
    return this.#clients.length;
  }

  /** Sends a read, and repeats it at the next address if one does not respond. */
  read<T>(send: Send<T>, signal?: AbortSignal): Promise<T> {
    return this.#send(send, (error) => isUnreachable(error) && signal?.aborted !== true);
  }

  /**
   * Sends a write. It is repeated only if it cannot have reached the server: otherwise it may have been done,
   * which the caller must find out.
   */
  write<T>(send: Send<T>): Promise<T> {
    return this.#send(send, isUnsent);
  }

  /** Sends a statement to every address, and fails if one does not respond. */
  async everywhere<T>(send: Send<T>): Promise<T[]> {
    return Promise.all(this.#clients.map((client) => send({ client, settings: {} })));
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #send<T>(send: Send<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const used = this.#current;
      const client = this.#clients[used] as ClickHouseClient;
      try {
        return await send({ client, settings: attempt === 1 ? {} : REPEATED });
      } catch (error) {
        // Another statement may have failed here before, and have changed the address.
        if (isUnreachable(error) && this.#current === used) this.#current = (used + 1) % this.#clients.length;
        if (attempt === this.#clients.length || !mayRepeat(error)) throw error;
      }
    }
  }
}

/** The first run of a statement may go on. It has the same id, so the server must end it. */
const REPEATED: ClickHouseSettings = { replace_running_query: 1 };

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
