import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { ForwardingServer, READ_ONLY, refuse } from "./forwarding-server.ts";

/**
 * Two replicas of a database. They are always equal, because one engine plays both. Like real ones, they
 * reject inserts if there are too few replicas, and definitions of tables while one is missing.
 */
export class PlayedReplicas {
  readonly replicas: readonly [PlayedReplica, PlayedReplica];
  /** Requests to wait for the rows of other replicas, each as `replica table`. */
  readonly synced: string[] = [];

  /** The settings of each insert. */
  readonly inserts: Record<string, string>[] = [];

  /** @param target the server of the engine */
  constructor(target: string) {
    const play = (name: string) => new PlayedReplica(name, target, this);
    this.replicas = [play("one"), play("other")];
  }

  /** The value of --clickhouse. */
  get urls(): string {
    return this.replicas.map(({ url }) => url).join(",");
  }

  /** The number of replicas that the others can reach. */
  get connected(): number {
    return this.replicas.filter(({ isRunning, isIsolated }) => isRunning && !isIsolated).length;
  }

  async start(): Promise<void> {
    for (const replica of this.replicas) await replica.start();
  }

  async stop(): Promise<void> {
    for (const replica of this.replicas) await replica.stop();
  }
}

const IS_DEFINITION = /^\s*(?:CREATE|DROP|RENAME|EXCHANGE|TRUNCATE|ALTER)\b/;
const TOO_FEW = "Code: 285. DB::Exception: Number of alive replicas is less than requested quorum";
const NO_KEEPER = "Code: 999. Coordination::Exception: Connection loss";
const NOT_EVERYWHERE = "Code: 159. DB::Exception: Distributed DDL task is not finished on all hosts";

class PlayedReplica extends ForwardingServer {
  /** True while the replica responds, but reaches neither the other replica nor the Keeper. */
  isIsolated = false;
  readonly #name: string;
  readonly #all: PlayedReplicas;

  constructor(name: string, target: string, all: PlayedReplicas) {
    super(target);
    this.#name = name;
    this.#all = all;
  }

  protected override async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { searchParams } = new URL(request.url ?? "/", this.url);
    const isInsert = searchParams.get("query")?.startsWith("INSERT") === true;
    const statement = isInsert ? "INSERT" : body.toString();
    const refusal = this.#refusal(statement, searchParams);
    if (refusal !== null) refuse(response, refusal);
    else this.forward(request, response, { body: isInsert ? body : Buffer.from(this.#played(statement)) });
  }

  #refusal(statement: string, settings: URLSearchParams): string | null {
    const { inserts, connected, replicas } = this.#all;
    if (/^\s*INSERT\b/.test(statement)) {
      inserts.push(Object.fromEntries(settings));
      const quorum = Number(settings.get("insert_quorum") ?? 0);
      if (this.isIsolated) return READ_ONLY;
      return quorum > connected ? TOO_FEW : null;
    }
    if (IS_DEFINITION.test(statement)) {
      if (this.isIsolated) return NO_KEEPER;
      return connected < replicas.length ? NOT_EVERYWHERE : null;
    }
    return this.isIsolated && /^\s*SYSTEM SYNC\b/.test(statement) ? NO_KEEPER : null;
  }

  /** Rewrites a statement so that the engine's result is what a replica would return. */
  #played(statement: string): string {
    const synced = /SYSTEM SYNC REPLICA `(\w+)` LIGHTWEIGHT/.exec(statement)?.[1];
    if (synced !== undefined) this.#all.synced.push(`${this.#name} ${synced}`);
    return statement
      .replace(/SYSTEM SYNC (?:DATABASE )?REPLICA .*/s, "SELECT 1")
      .replace("startsWith(engine, 'Replicated')", "endsWith(engine, 'MergeTree')")
      .replace(/\bReplicated(\w*MergeTree)/g, "$1")
      .replace("serverUUID()", `'${this.#name}'`)
      .replace(
        /SELECT toUInt32\(total_replicas\).*'writers'/s,
        // Without the Keeper, a replica does not know of any replicas.
        `SELECT ${this.isIsolated ? 0 : this.#all.replicas.length} AS replicas`,
      )
      .replace(/engine FROM system.databases/, "'Replicated' AS engine FROM system.databases");
  }
}
