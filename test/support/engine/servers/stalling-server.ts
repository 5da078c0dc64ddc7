import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { ForwardingServer } from "./forwarding-server.ts";

const TIMEOUT = "<html><head><title>504 Gateway Time-out</title></head></html>";
const KILL = /^KILL QUERY WHERE (.*) SYNC$/s;

interface Stalled {
  path: string;
  body: Buffer;
}

/**
 * A ClickHouse server whose disk stalls during one statement, behind a proxy that responds with a timeout in
 * the meantime. The statement still takes effect on `resume()`, unless it was killed.
 */
export class StallingServer extends ForwardingServer {
  /**
   * False once a statement has stalled. Until the test sets it to true, the proxy also responds with a
   * timeout to requests to kill statements.
   */
  isKillable = true;
  readonly #behind: string;
  readonly #stalled = new Map<string, Stalled>();
  #pattern: RegExp | undefined;
  #onStalled: () => void = () => {};

  constructor(target: string) {
    super(target);
    this.#behind = target;
  }

  /** Resolves when the next matching statement has stalled, and its client has the proxy's response. */
  stalled(pattern: RegExp): Promise<void> {
    this.#pattern = pattern;
    return new Promise((resolve) => {
      this.#onStalled = resolve;
    });
  }

  /** Makes the disk respond again. Returns the number of statements that take effect. */
  async resume(): Promise<number> {
    const stalled = [...this.#stalled.values()];
    this.#stalled.clear();
    for (const { path, body } of stalled) await this.#run(path, body);
    return stalled.length;
  }

  protected override async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { url: path = "/" } = request;
    const { searchParams } = new URL(path, this.url);
    const statement = `${searchParams.get("query") ?? ""}${body}`.trim();
    if (this.#pattern?.test(statement)) {
      this.#pattern = undefined;
      this.isKillable = false;
      this.#stalled.set(searchParams.get("query_id") ?? "", { path, body });
      response.once("close", () => this.#onStalled());
      response.writeHead(504).end(TIMEOUT);
      return;
    }
    const condition = KILL.exec(statement)?.[1];
    if (condition !== undefined && !this.isKillable) {
      response.writeHead(504).end(TIMEOUT);
      return;
    }
    if (condition !== undefined) await this.#kill(condition);
    this.forward(request, response, { body });
  }

  /** Kills the stalled statements that meet a condition. The engine evaluates the condition. */
  async #kill(condition: string): Promise<void> {
    const ids = [...this.#stalled.keys()].map((id) => `'${id}'`);
    if (ids.length === 0) return;
    const query = `SELECT query_id FROM
      (SELECT arrayJoin([${ids}]) AS query_id, currentDatabase() AS current_database) WHERE ${condition}`;
    const killed = await this.#run("/", Buffer.from(query));
    for (const id of killed.split("\n")) this.#stalled.delete(id);
  }

  async #run(path: string, body: Buffer): Promise<string> {
    const response = await fetch(new URL(path, this.#behind), { method: "POST", body: new Uint8Array(body) });
    const answer = await response.text();
    if (!response.ok) throw new Error(answer);
    return answer;
  }
}
