import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A server that answers only Quarry's queries about its database. By default, it is one of two replicas. */
export class FakeReplica {
  readonly statements: { text: string; settings: URLSearchParams }[] = [];
  readonly id: string;
  readonly knownSettings: readonly string[];
  /** The engine of its database. */
  readonly engine: string;
  /** Number of replicas, as this one counts them. */
  replicas = 2;
  /** Statements that match fail with this code. */
  failing: { pattern: RegExp; code: number } | undefined;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  constructor(id: string, knownSettings: readonly string[], engine = "Replicated") {
    this.id = id;
    this.knownSettings = knownSettings;
    this.engine = engine;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? "/", "http://fake");
    const statement = `${searchParams.get("query") ?? ""}${await text(request)}`;
    this.statements.push({ text: statement, settings: searchParams });
    if (this.failing?.pattern.test(statement) === true) {
      const { code } = this.failing;
      response.writeHead(500, { "x-clickhouse-exception-code": String(code) });
      response.end(`Code: ${code}. DB::Exception: it fails as requested`);
      return;
    }
    const rows = this.#rows(statement).map((row) => `${JSON.stringify(row)}\n`);
    response.end(rows.join(""));
  }

  #rows(statement: string): object[] {
    if (statement.includes("system.databases")) return [{ name: "quarry", engine: this.engine }];
    if (statement.includes("system.settings")) return this.knownSettings.map((name) => ({ name }));
    if (statement.includes("system.replicas")) return [{ replicas: this.replicas }];
    if (statement.includes("serverUUID")) return [{ id: this.id }];
    if (statement.includes("system.tables")) return [{ name: "writers" }, { name: "eth_copy" }];
    return [];
  }
}
