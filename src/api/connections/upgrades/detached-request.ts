import { IncomingMessage } from "node:http";
import { isChunked, takeJoined } from "../chunks/join-chunks.ts";
import { mayLackHeaders } from "../headers/header-count.ts";
import type { PendingResponses } from "../pipelining/pending-responses.ts";

const held = new WeakSet<IncomingMessage>();

/**
 * Returns whether a request exceeded the limit of pipelined requests, and so waits for the responses before
 * it.
 */
export function isHeld(request: IncomingMessage): boolean {
  return held.has(request);
}

/**
 * Returns the class of a server's requests. Node parses everything that arrives together at once, possibly
 * thousands of requests or of chunks of a body, and stops only at a request for an upgrade. Therefore, these
 * requests claim to be upgrades:
 *
 * - one that exceeds the limit of pipelined requests;
 * - one with a body in chunks, unless they are joined (`ChunkJoiner`);
 * - one from which Node may have dropped the header that announces such a body.
 *
 * Node then stops reading from the connection and hands it over, along with any unparsed bytes. After the
 * earlier responses, `giveBack()` returns the connection to Node. Until then, the kernel buffers everything
 * that the client sends.
 */
export function detachedRequest(pending: PendingResponses): typeof IncomingMessage {
  return class extends IncomingMessage {
    hasUpgrade: boolean | null = null;
    isJoined = false;

    get upgrade(): boolean | null {
      const mustWait = isHeld(this) || (!this.isJoined && isChunked(this)) || mayLackHeaders(this);
      return mustWait || this.hasUpgrade;
    }

    /** Node sets this before it adds the headers, and reads it afterwards. */
    set upgrade(hasUpgrade: boolean | null) {
      const isNew = this.hasUpgrade === null && hasUpgrade !== null;
      this.hasUpgrade = hasUpgrade;
      if (isNew && takeJoined(this.socket)) this.isJoined = true;
      if (hasUpgrade !== false || !pending.isFull(this.socket)) return;
      held.add(this);
      pending.held++;
    }
  };
}
