import { unlessAborted } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { WorkerLink } from "./messages.ts";

/**
 * Number of pings without a response after which a worker counts as hung. Pings are counted rather than time,
 * because after a suspension of the whole service, no worker has responded for a long time.
 */
const PINGS = 6;

/**
 * Waits until a worker hangs or exits. Returns true if it did not respond for `hungMs`, and false if it
 * exited.
 *
 * @param hungMs 0: returns false at once, because no worker counts as hung
 */
export async function isHung(link: WorkerLink, hungMs: number, clock: Clock): Promise<boolean> {
  const ended = new AbortController();
  link.onClose(() => ended.abort());
  let unanswered = 0;
  link.onMessage(({ kind }) => {
    if (kind === "pong") unanswered = 0;
  });
  while (hungMs > 0 && unanswered < PINGS) {
    unanswered++;
    link.send({ kind: "ping" });
    await unlessAborted(ended.signal, () => clock.sleep(hungMs / PINGS, ended.signal));
    if (ended.signal.aborted) return false;
  }
  return hungMs > 0;
}
