import { IncomingMessage } from "node:http";
import type { PendingResponses } from "./pending-responses.ts";

const held = new WeakSet<IncomingMessage>();

/** Whether a request exceeded the limit of pipelined requests, and waits for the responses before it. */
export function isHeld(request: IncomingMessage): boolean {
  return held.has(request);
}

/**
 * Returns the class of a server's requests. Node reads all requests that arrive together at once, which may be
 * thousands, and only a request for an upgrade stops it. So a request that exceeds the limit pretends to be
 * one: Node then hands over the connection with all bytes that it has not read, and `giveBack()` returns it
 * when the responses before have been sent. Meanwhile, the rest of what the client sends waits in the system.
 */
export function pipelinedRequest(pending: PendingResponses): typeof IncomingMessage {
  return class extends IncomingMessage {
    hasUpgrade: boolean | null = null;

    get upgrade(): boolean | null {
      return isHeld(this) || this.hasUpgrade;
    }

    /** Node sets it when the headers have arrived, before it does anything else with the request. */
    set upgrade(hasUpgrade: boolean | null) {
      this.hasUpgrade = hasUpgrade;
      if (hasUpgrade !== false || !pending.isFull(this.socket)) return;
      held.add(this);
      pending.held++;
    }
  };
}
