import { BaseError } from "../error.ts";
import type { Clock } from "./clock.ts";

/**
 * Average rate at which a server must send: at this rate, an era of 500 MB would take six days. The HTTP
 * client gives up only if nothing arrives for five minutes, so a server that sends a byte now and then would
 * otherwise keep indexing waiting for ever.
 */
const MIN_BYTES_PER_SECOND = 1_024;
/** How far a server may fall behind that rate: as long as the HTTP client lets it send nothing. */
const MAX_LAG_MS = 300_000;

/**
 * Yields the chunks of a response. Only time spent waiting for the server counts, not the time that the
 * reader takes for a chunk, which may go to a slow disk.
 *
 * @throws SlowServer
 */
export async function* steadyBody(
  body: AsyncIterable<Uint8Array> | null,
  clock: Pick<Clock, "monotonic">,
): AsyncGenerator<Uint8Array> {
  let lagMs = 0;
  let since = clock.monotonic();
  for await (const chunk of body ?? []) {
    lagMs += clock.monotonic() - since;
    if (lagMs > MAX_LAG_MS) throw new SlowServer();
    lagMs = Math.max(0, lagMs - (1_000 * chunk.length) / MIN_BYTES_PER_SECOND);
    yield chunk;
    since = clock.monotonic();
  }
}

export class SlowServer extends BaseError {
  constructor() {
    super("endpoint", `the server sends less than ${MIN_BYTES_PER_SECOND / 1_024} KiB per second`, {
      retryable: true,
    });
  }
}
