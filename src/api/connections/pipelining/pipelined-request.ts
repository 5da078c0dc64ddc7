import { IncomingMessage } from "node:http";
import type { PendingResponses } from "./pending-responses.ts";

const held = new WeakSet<IncomingMessage>();

/**
 * Returns whether a request exceeded the limit of pipelined requests, and so waits for the responses before
 * it.
 */
export function isHeld(request: IncomingMessage): boolean {
  return held.has(request);
}

/**
 * Returns the class of a server's requests. Node parses all requests that arrive together at once, possibly
 * thousands, and stops only at a request for an upgrade. A request that exceeds the limit therefore claims to
 * be an upgrade. Node then detaches the connection, with the bytes that it has not parsed, and `giveBack()`
 * attaches it again when the earlier responses have been sent. Until then, the kernel buffers what the client
 * sends.
 */
export function pipelinedRequest(pending: PendingResponses): typeof IncomingMessage {
  return class extends IncomingMessage {
    hasUpgrade: boolean | null = null;

    get upgrade(): boolean | null {
      return isHeld(this) || this.hasUpgrade;
    }

    /** Node sets this when the headers have arrived, before it does anything else with the request. */
    set upgrade(hasUpgrade: boolean | null) {
      this.hasUpgrade = hasUpgrade;
      if (hasUpgrade !== false || !pending.isFull(this.socket)) return;
      held.add(this);
      pending.held++;
    }
  };
}
