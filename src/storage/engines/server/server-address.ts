import type { ClickHouseClient } from "@clickhouse/client";
import { systemClock } from "../../../lib/async/clock.ts";
import { EngineUnreachable, engineFailure } from "../engine-failure.ts";

/** How often running statements are checked, and how long a statement may run before the first check. */
const CHECK_MS = 5_000;

/** Time limit for a ping, which requires no work from the server. */
const PING_MS = 5_000;

/**
 * Number of unanswered pings after which a server counts as hung. A single late response may be due to a busy
 * machine on either side.
 */
const PINGS = 2;

interface ServerAddressOptions {
  url: string;
  /** Sends statements. */
  client: ClickHouseClient;
  /** Sends pings. It has its own connection, because statements may occupy all connections of `client`. */
  pings: ClickHouseClient;
  /** Closes all connections of `client`, so that its statements fail. */
  disconnect(): void;
}

/**
 * One address of a server. A server may hang: it keeps its connections, but sends nothing. While a statement
 * runs for a long time, this pings the server, and closes its connections if it does not respond.
 */
export class ServerAddress {
  readonly url: string;
  readonly #options: ServerAddressOptions;
  /** When each running statement started, oldest first. */
  readonly #running = new Set<{ startedMs: number }>();
  readonly #closing = new AbortController();
  #isWatched = false;

  constructor(options: ServerAddressOptions) {
    this.url = options.url;
    this.#options = options;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  /** Sends a statement, and waits for its answer or, if the answer is a stream, for its beginning. */
  async run<T>(send: (client: ClickHouseClient) => Promise<T>): Promise<T> {
    const statement = { startedMs: systemClock.monotonic() };
    this.#running.add(statement);
    if (!this.#isWatched) void this.#watch();
    try {
      return await send(this.#options.client);
    } finally {
      this.#running.delete(statement);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#options.client.close(), this.#options.pings.close()]);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    this.#isWatched = true;
    while (this.#running.size > 0 && !signal.aborted) {
      await systemClock.sleep(CHECK_MS, signal).catch(() => undefined);
      if (this.#hasLongStatement() && !(await this.#responds())) this.#options.disconnect();
    }
    this.#isWatched = false;
  }

  #hasLongStatement(): boolean {
    const [oldest] = this.#running;
    return oldest !== undefined && systemClock.monotonic() - oldest.startedMs >= CHECK_MS;
  }

  async #responds(): Promise<boolean> {
    for (let i = 0; i < PINGS; i++) if (await this.#respondsOnce()) return true;
    return false;
  }

  /** Returns whether one ping gets a response. Any response counts, even an error or one from a proxy. */
  async #respondsOnce(): Promise<boolean> {
    const limit = AbortSignal.timeout(PING_MS);
    const ping = await this.#options.pings.ping({ select: false, abort_signal: limit });
    return ping.success || !(limit.aborted || engineFailure(ping.error) instanceof EngineUnreachable);
  }
}
