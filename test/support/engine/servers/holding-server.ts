import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { ForwardingServer } from "./forwarding-server.ts";

/** Forwards requests to a ClickHouse server, except for one statement, which never gets a response. */
export class HoldingServer extends ForwardingServer {
  #pattern: RegExp | undefined;
  #left = 0;
  #onHeld: () => void = () => {};

  /**
   * Resolves when the n-th of the next matching statements arrives. That statement never reaches the server.
   */
  held(pattern: RegExp, n = 1): Promise<void> {
    this.#pattern = pattern;
    this.#left = n;
    return new Promise((resolve) => {
      this.#onHeld = resolve;
    });
  }

  protected override async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const inUrl = new URL(request.url ?? "/", this.url).searchParams.get("query") ?? "";
    if (!this.#pattern?.test(`${inUrl}\n${body}`) || --this.#left > 0)
      return this.forward(request, response, { body });
    this.#pattern = undefined;
    this.#onHeld();
  }
}
