import type { Clock } from "../../lib/async/clock.ts";
import type { EndpointError } from "./endpoint-error.ts";

/** The methods that the source uses to log. The loggers of pino have them. */
export interface SourceLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Logs warnings about endpoints. Failed requests are logged at most once per interval and endpoint, and so
 * are bad blocks.
 */
export class EndpointWarnings {
  readonly #logger: SourceLogger;
  readonly #intervalMs: number;
  readonly #clock: Clock;
  readonly #warnedAt = new Map<string, number>();

  constructor(logger: SourceLogger, intervalMs: number, clock: Clock) {
    this.#logger = logger;
    this.#intervalMs = intervalMs;
    this.#clock = clock;
  }

  badBlock(endpoint: string, block: number, kind: "invalid" | "missing", problem: string): void {
    if (!this.#markDue(`${endpoint} (blocks)`)) return;
    const fault = kind === "invalid" ? "failed verification" : "is not available";
    this.#logger.warn({ endpoint, block, problem }, `${endpoint}: block ${block} ${fault}: ${problem}`);
  }

  failedRequest({ endpoint, message }: EndpointError): void {
    if (this.#markDue(endpoint)) this.#logger.warn({ endpoint }, `RPC request failed, retrying: ${message}`);
  }

  /**
   * Logs every time, so the caller must call this only when the endpoint becomes stuck, not while it remains
   * stuck.
   */
  stuck(endpoint: string, block: number, head: number): void {
    this.#logger.warn(
      { endpoint, block, head },
      `${endpoint}: its newest block, ${block}, is old and far below ${head}. Until the endpoint catches up, only ` +
        "the other endpoints determine the final block",
    );
  }

  /** Logs every time, because an endpoint is excluded only once. */
  excluded(endpoint: string, reason: string): void {
    this.#logger.warn({ endpoint }, reason);
  }

  /** Returns true if the warning is due, and starts its next interval. */
  #markDue(warning: string): boolean {
    const now = this.#clock.monotonic();
    if (now - (this.#warnedAt.get(warning) ?? Number.NEGATIVE_INFINITY) < this.#intervalMs) return false;
    this.#warnedAt.set(warning, now);
    return true;
  }
}
