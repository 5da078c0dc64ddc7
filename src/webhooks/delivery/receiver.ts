import { Agent } from "undici";
import { withAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { retryAfterMs } from "../../lib/async/retry-after.ts";
import { BaseError } from "../../lib/error.ts";
import type { Targets } from "../targets/targets.ts";
import type { SignedWebhook } from "../webhook.ts";
import { SIGNATURE_HEADER, signatureOf } from "./signature.ts";

/** The result of one attempt to deliver a body. */
export type Outcome =
  | { kind: "delivered" }
  /** `waitMs`: the wait that the receiver requests; null if it requests none. */
  | { kind: "failed"; reason: string; waitMs: number | null };

/** Maximum number of characters of a reason, which is stored and shown to the operator. */
const MAX_REASON = 300;

/** Maximum number of bytes read from a response so that its connection can be reused. */
const MAX_RESPONSE_BYTES = 64 * 1024;

interface ReceiverOptions {
  targets: Targets;
  timeoutMs: number;
  clock: Clock;
}

/** Sends deliveries. Redirects are not followed, because their targets have not been checked. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #agent: Agent;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#agent = new Agent({
      connect: { lookup: options.targets.lookup },
      // The timer in `post` covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a body once. Rejects only if the signal aborts. */
  async post({ url, secret }: SignedWebhook, body: string, stop: AbortSignal): Promise<Outcome> {
    const { timeoutMs, clock } = this.#options;
    return withAbort([stop], async (controller) => {
      const cancelTimeout = clock.after(timeoutMs, () => controller.abort(new NoResponse(timeoutMs)));
      try {
        return await this.#request(url, { secret, body }, controller.signal);
      } catch (error) {
        stop.throwIfAborted();
        return { kind: "failed", reason: reasonOf(error), waitMs: null };
      } finally {
        cancelTimeout();
      }
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #request(
    text: string,
    { secret, body }: { secret: string; body: string },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { targets, clock } = this.#options;
    const url = targets.requireAllowed(text);
    const seconds = Math.floor(clock.now() / 1000);
    const {
      statusCode,
      headers,
      body: answer,
    } = await this.#agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Quarry",
        [SIGNATURE_HEADER]: signatureOf(secret, seconds, body),
      },
      body,
      signal,
    });
    const read = answer.dump({ limit: MAX_RESPONSE_BYTES, signal });
    if (statusCode >= 200 && statusCode < 300) {
      // The status decides, even if the body does not end.
      await read.catch(() => undefined);
      return { kind: "delivered" };
    }
    await read;
    const note = statusCode >= 300 && statusCode < 400 ? ", a redirect, which is not followed" : "";
    const waitMs = retryAfterMs(headers["retry-after"], clock.now());
    return { kind: "failed", reason: `the receiver responded with status ${statusCode}${note}`, waitMs };
  }
}

/**
 * Returns the reason for a failed delivery. If a name has several addresses, each has its own error, and the
 * combined error has no message, so the messages are joined.
 */
function reasonOf(error: unknown): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  const inner = error instanceof AggregateError ? error.errors.map(({ message }: Error) => message) : [];
  return (message || inner.join("; ") || code || "the connection failed").slice(0, MAX_REASON);
}

class NoResponse extends BaseError {
  constructor(timeoutMs: number) {
    super("timeout", `the receiver did not respond within ${timeoutMs / 1000} s`, { retryable: true });
  }
}
