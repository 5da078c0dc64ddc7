import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { dropChain } from "../support/engine/drop-chain.ts";
import { checksums, tableChecksumsApart } from "../support/engine/table-checksums.ts";
import { startFakeNode } from "../support/nodes/fake-node.ts";
import { type Node, type Running, startSource, temporaryFolder } from "../support/processes/processes.ts";
import { Dice } from "../support/simulation/dice.ts";
import { FOLLOWED_CHAIN, FOLLOWED_FINALITY } from "../support/simulation/followed-chain.ts";
import { MovingChain } from "../support/simulation/moving-chain.ts";
import { indexSteadily } from "../support/simulation/simulation.ts";

/** Number of kills. For a longer run: QUARRY_KILLS=200. */
const KILLS = Number(process.env.QUARRY_KILLS ?? 9);
/** Number of kills before the tables are compared and the next round starts in an empty directory. */
const KILLS_A_ROUND = 15;

const KINDS = ["backfill", "follow", "rollback"] as const;
type Kind = (typeof KINDS)[number];

const SCRIPT = "test/support/simulation/index-loop.ts";
/** Number of blocks that a backfill must fetch, which takes a few seconds. */
const BACKFILL_BLOCKS = 80;
/** A kill happens at a random moment within this time after its target has begun. */
const AIM_MS = { backfill: 500, follow: 400, rollback: 60, opening: 120 };
/** After every n-th rollback, the next process is also killed while it opens the data directory. */
const OPENING_KILLS = 3;
const GROWTH_MS = 15;

/** A data directory and a chain, from the first kill to the comparison. */
class Round {
  readonly chain: MovingChain;
  readonly #folder = temporaryFolder();
  readonly #node: Node;
  /** The operations that each kill interrupted, such as `commit` or `merge rollback`. */
  readonly interrupted: string[] = [];
  violations: string[] = [];
  #running: Running | null = null;

  constructor(chain: MovingChain, node: Node) {
    this.chain = chain;
    this.#node = node;
  }

  get data(): string {
    return join(this.#folder.path, "data");
  }

  async kill(kind: Kind, nth: number): Promise<void> {
    const running = this.#start();
    if (kind === "backfill") await this.#duringBackfill(running);
    if (kind === "follow") await this.#duringFollowing(running);
    if (kind === "rollback") await this.#duringRollback(running);
    await this.#killed(running);
    if (kind === "rollback" && nth % OPENING_KILLS === 0) await this.killOpening();
  }

  /** Indexes to the end, and then stops on request. */
  async finish(): Promise<void> {
    const running = this.#start();
    await this.#atHead(running);
    const { code, stderr, stdout } = await running.stop("SIGTERM");
    expect(code, stderr).toBe(0);
    this.#note(stdout);
    expect(Number(stdout.match(/answers: (\d+)/)?.[1])).toBeGreaterThan(0);
  }

  async end(): Promise<void> {
    await this.#running?.stop("SIGKILL");
    await this.#node.stop();
    this.#folder.remove();
  }

  async killOpening(): Promise<void> {
    const running = this.#start();
    await running.printed(/opening begins/);
    await sleep(Math.random() * AIM_MS.opening);
    await this.#killed(running);
  }

  async #duringBackfill(running: Running): Promise<void> {
    this.chain.extend(BACKFILL_BLOCKS);
    await running.printed(/commit begins/);
    await sleep(Math.random() * AIM_MS.backfill);
  }

  async #duringFollowing(running: Running): Promise<void> {
    await this.#atHead(running);
    const until = Date.now() + Math.random() * AIM_MS.follow;
    while (Date.now() < until) {
      this.chain.extend(1);
      await sleep(Math.min(GROWTH_MS, Math.max(0, until - Date.now())));
    }
  }

  async #duringRollback(running: Running): Promise<void> {
    await this.#atHead(running);
    const depth = 1 + Math.floor(Math.random() * Math.min(this.chain.deepest, FOLLOWED_FINALITY));
    this.chain.reorganize(depth);
    await running.printed(/rollback begins/);
    await sleep(Math.random() * AIM_MS.rollback);
  }

  #start(): Running {
    this.#running = startSource(SCRIPT, [this.data, this.#node.url]);
    return this.#running;
  }

  async #atHead(running: Running): Promise<void> {
    await running.printed(new RegExp(`ends \\d+ ${this.chain.head.hash}`));
  }

  async #killed(running: Running): Promise<void> {
    const { stdout, stderr } = await running.stop("SIGKILL");
    expect(running.child.signalCode, stderr).toBe("SIGKILL");
    this.#note(stdout);
    const open = new Set<string>();
    for (const [, what = "", event] of stdout.matchAll(/^(\w+) (begins|ends)/gm)) {
      if (event === "begins") open.add(what);
      else open.delete(what);
    }
    this.interrupted.push([...open].sort().join(" "));
  }

  #note(stdout: string): void {
    this.violations.push(...(stdout.match(/^violation: .*/gm) ?? []));
  }
}

describe("an indexer that is killed at any moment of backfill, following and rollback", () => {
  const folder = temporaryFolder();
  let engine: Engine;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder.path });
  });

  afterAll(async () => {
    await engine.close();
    folder.remove();
  });

  async function freshTables(chain: MovingChain) {
    const { name, finality } = FOLLOWED_CHAIN;
    await indexSteadily(engine, { name, blocks: chain.blocks, from: 0, finality });
    const tables = await checksums(engine, name);
    await dropChain(engine, name);
    return tables;
  }

  const rounds = Array.from({ length: Math.ceil(KILLS / KILLS_A_ROUND) }, (_, i) => i);
  it.each(rounds)("has the tables of a fresh index: round %i", { timeout: 400_000 }, async (i) => {
    const probabilities = { blocks: { empty: 0.1, failed: 0.1 }, finalityBlocks: FOLLOWED_FINALITY };
    const moves = { leastDepth: 0, grow: 1, fork: 1, flip: 1, cut: 0 };
    const chain = new MovingChain(new Dice(i), { ...probabilities, ...moves });
    const round = new Round(chain, await startFakeNode(chain, FOLLOWED_CHAIN.chainId));
    const kills = Math.min(KILLS_A_ROUND, KILLS - i * KILLS_A_ROUND);
    try {
      for (let nth = 0; nth < kills; nth++) {
        const kind = KINDS[Math.floor((nth * KINDS.length) / kills)] ?? "backfill";
        await round.kill(kind, nth);
      }
      await round.finish();
      expect(round.violations).toEqual([]);
      const interruptions = `killed during: ${round.interrupted.map((what) => what || "nothing").join(", ")}`;
      const tables = await tableChecksumsApart(round.data, FOLLOWED_CHAIN.name);
      expect(tables, `${interruptions}\n${chain.history.join("\n")}`).toEqual(await freshTables(chain));
      console.info(interruptions);
    } finally {
      await round.end();
    }
  });
});
