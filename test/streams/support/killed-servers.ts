import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { startFakeNode } from "../../support/nodes/fake-node.ts";
import { type Node, type Running, startQuarry, temporaryFolder } from "../../support/processes/processes.ts";
import type { Dice } from "../../support/simulation/dice.ts";
import { fakeChainFacts } from "../../support/simulation/fake-chain.ts";
import type { MovingChain } from "../../support/simulation/moving-chain.ts";

export const CHAIN = "fake";

/** Block time of the chain. Determines how often the indexer polls for the newest block. */
const BLOCK_TIME_MS = 100;
const MAX_ABSENCE_MS = 1_000;
/**
 * The successor of a killed writer waits until the lease of the killed writer expires, which takes up to half
 * a minute.
 */
const WRITER_START_MS = 120_000;

/**
 * `index`: both services only read, and the writer is a process of its own. `start`: one of them also writes.
 */
export type WritingCommand = "index" | "start";

interface Writer {
  args: string[];
  running: Running;
}

interface Server {
  args: string[];
  /** Keeps the last URL while the service is not running. */
  url: string;
  running: Running | null;
}

/** A store, the process that writes a chain to it, and two services that read it and can be killed. */
export class KilledServers {
  readonly #folder = temporaryFolder();
  readonly #dice: Dice;
  readonly #processes: Running[] = [];
  readonly #restarts: Promise<void>[] = [];
  readonly #servers: Server[] = [];
  #node: Node | null = null;
  #store: ClickHouseServer | null = null;
  /** The process that only writes, if there is one. */
  #writer: Writer | null = null;
  kills = 0;
  writerKills = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  get urls(): string[] {
    return this.#servers.map(({ url }) => url);
  }

  /** Starts all processes. Resolves when both services have the chain's first commit. */
  async start(chain: MovingChain, writing: WritingCommand): Promise<void> {
    const { name: _, chainId, ...facts } = fakeChainFacts(CHAIN, { kind: "tag" });
    const config = join(this.#folder.path, "config.json");
    const definition = { ...facts, chainId, blockTimeMs: BLOCK_TIME_MS };
    writeFileSync(config, JSON.stringify({ chains: { [CHAIN]: definition } }));
    this.#node = await startFakeNode(chain, chainId);
    this.#store = await startClickHouse(join(this.#folder.path, "server"));
    const place = ["--clickhouse", this.#store.url, "--config", config];
    const node = ["--chain", CHAIN, "--rpc", this.#node.url, "--no-verify", "--from", "0", "--threads", "0"];
    const api = ["--port", "0", "--client-streams", "1000"];
    const workers = this.#dice.pick("workers", ["1", "1", "2"]);
    if (writing === "index") this.#write(["index", ...node, ...place]);
    else await this.#serve(["start", ...node, ...place, ...api]);
    await this.#processes[0]?.printed(/indexed to block/);
    while (this.#servers.length < 2) await this.#serve(["serve", ...place, ...api, "--workers", workers]);
  }

  /**
   * Kills a random service, and starts it again after a random time. Does nothing if that service is not
   * running.
   */
  async kill(): Promise<void> {
    const server = this.#servers[this.#dice.between("killed server", 0, this.#servers.length - 1)];
    const killed = server?.running ?? null;
    if (server === undefined || killed === null) return;
    server.running = null;
    this.kills++;
    await killed.stop("SIGKILL");
    const absenceMs = this.#dice.between("absence ms", 0, MAX_ABSENCE_MS);
    this.#restarts.push(sleep(absenceMs).then(() => this.#begin(server)));
  }

  /** Kills the process that only writes, if there is one, and starts it again. */
  async killWriter(): Promise<void> {
    if (this.#writer === null) return;
    this.writerKills++;
    await this.#writer.running.stop("SIGKILL");
    this.#write(this.#writer.args);
  }

  /** Resolves when all services are running, and the writer is indexing again if it was killed. */
  async settle(): Promise<void> {
    await Promise.all(this.#restarts);
    if (this.writerKills > 0) await this.#writer?.running.printed(/indexed to block/, WRITER_START_MS);
  }

  /** The errors that the processes have logged. */
  get errors(): string[] {
    const lines = this.#processes.flatMap((one) => one.output().split("\n"));
    return lines.filter((line) => /^\{"level":[56]0/.test(line));
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#restarts);
    await Promise.all(this.#processes.map((one) => one.stop("SIGKILL")));
    await this.#store?.stop();
    await this.#node?.stop();
    this.#folder.remove();
  }

  #write(args: string[]): void {
    this.#writer = { args, running: this.#run(args) };
  }

  async #serve(args: string[]): Promise<void> {
    const server: Server = { args, url: "", running: null };
    this.#servers.push(server);
    await this.#begin(server);
  }

  async #begin(server: Server): Promise<void> {
    const running = this.#run(server.args);
    const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/, WRITER_START_MS);
    server.running = running;
    server.url = url;
  }

  #run(args: string[]): Running {
    const running = startQuarry(args);
    this.#processes.push(running);
    return running;
  }
}
