import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAbiParameters } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { testLease } from "../../../test/support/engine/test-lease.ts";
import { changed } from "../../../test/support/nodes/mute-source.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import type { Source } from "../../sources/source.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import { copyOf, dropCopy } from "../../storage/extension/chain-copy.ts";
import { endExtension, writeExtension } from "../../storage/extension/extension-log.ts";
import type { Engine } from "../../storage/store.ts";
import { checkChain } from "../check/check-chain.ts";
import { rederive } from "../check/deep-check.ts";
import type { Finding } from "../finding.ts";
import {
  CHAIN,
  damage,
  FIRST,
  indexChain,
  LAST,
  mergeParts,
  stillSource,
  tables,
} from "../support/stored-chain.ts";
import { repairChain } from "./repair-chain.ts";
import { planRepair } from "./repair-plan.ts";
import { rollbackChain } from "./rollback-chain.ts";

const SYMBOL = "0x95d89b41";
const symbolText = (symbol: string) => encodeAbiParameters([{ type: "string" }], [symbol]);

describe("repairChain", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-repair-"));
  let engine: Engine;
  let undamaged: Record<string, unknown>;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder });
    await indexChain(engine);
    undamaged = await tables(engine);
  });

  beforeEach(() => mergeParts(engine));

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  async function check(): Promise<Finding[]> {
    const commit = await chainCommits(engine, CHAIN.name).committed();
    if (commit === null) throw new Error("nothing is committed");
    return checkChain({ engine, chain: CHAIN, commit });
  }

  async function repair(findings: readonly Finding[], source: Source = stillSource(), { deep = false } = {}) {
    const reopen = () => openChainStore(engine, CHAIN.name);
    const store = await reopen();
    return repairChain(findings, {
      engine,
      chain: CHAIN,
      store,
      reopen,
      openCopy: (chain) => openChainStore(engine, copyOf(chain)),
      source,
      deep,
      signal: new AbortController().signal,
    });
  }

  async function derivedDifferently(source: Source): Promise<Finding[]> {
    const commit = await chainCommits(engine, CHAIN.name).committed();
    if (commit === null) throw new Error("nothing is committed");
    const span = { first: FIRST, last: FIRST + 1 };
    return rederive({ engine, chain: CHAIN, commit, span, source, signal: new AbortController().signal });
  }

  const namesOf = (findings: readonly Finding[]) => findings.map(({ invariant }) => invariant);

  it("removes rows outside the committed blocks, and tables of interrupted writes", async () => {
    await damage(
      engine,
      "INSERT INTO sick_logs SELECT * REPLACE (block_number + 100 AS block_number) FROM sick_logs LIMIT 3",
      "INSERT INTO sick_erc20 SELECT * REPLACE (1 AS block_number) FROM sick_erc20 LIMIT 2",
      "CREATE TABLE sick_erc20_copy AS sick_erc20",
    );
    const findings = await check();
    expect(namesOf(findings)).toEqual(["nothing uncommitted", "no copies left"]);
    expect(findings[0]?.rows).toBe(5);
    expect(findings[1]?.examples[0]).toContain("sick_erc20_copy");
    expect(await repair(findings)).toEqual({ replaced: 0, rolledBack: null, findings: [] });
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("removes nothing once another process may write the chain", async () => {
    await damage(
      engine,
      "INSERT INTO sick_erc20 SELECT * REPLACE (1 AS block_number) FROM sick_erc20 LIMIT 2",
      "CREATE TABLE sick_erc20_copy AS sick_erc20",
    );
    const damaged = await tables(engine);
    const lease = testLease(CHAIN.name);
    const store = await openChainStore(engine, CHAIN.name, { lease });
    lease.loseAfter(2);
    const reopen = () => Promise.reject(new Error("not called"));
    const given = { engine, chain: CHAIN, store, reopen, openCopy: reopen, source: stillSource() };
    const signal = new AbortController().signal;
    await expect(repairChain([], { ...given, signal })).rejects.toThrow("the lease is lost");
    expect(await tables(engine)).toEqual(damaged);
    expect(await repair(await check())).toMatchObject({ findings: [] });
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("does not empty a chain from block 0 on once another process may write it", async () => {
    const chain = { ...CHAIN, name: "zero" };
    const lease = testLease(chain.name);
    const store = await openChainStore(engine, chain.name, { lease });
    const commit = await store.commit(batchOf({ first: 0, last: 2, rowsPerTable: 1 }));
    lease.loseAfter(1);
    const reopen = () => openChainStore(engine, chain.name);
    await expect(rollbackChain(0, { engine, chain, store, reopen })).rejects.toThrow("the lease is lost");
    expect(await chainCommits(engine, chain.name).committed()).toEqual(commit);
  });

  it("changes nothing if the endpoint's blocks are not those of the stored chain", async () => {
    await damage(engine, "ALTER TABLE sick_logs DELETE WHERE block_number = 20");
    const findings = await check();
    const damaged = await tables(engine);
    const other: Source = {
      ...stillSource(),
      blockRef: async (number) => ({ number, hash: `0x${"ab".repeat(32)}` }),
      hasBlock: async () => false,
    };
    await expect(repair(findings, other)).rejects.toThrow(
      /do not fit between the stored ones: block 19 is 0x/,
    );
    expect(await tables(engine)).toEqual(damaged);
    expect((await repair(findings)).findings).toEqual([]);
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("stores no blocks of another fork, which another endpoint may send", async () => {
    await damage(engine, "ALTER TABLE sick_logs DELETE WHERE block_number IN (20, 21)");
    const findings = await check();
    const damaged = await tables(engine);
    const sending = (change: (block: Block) => Block) => changed(stillSource(), change);
    const forked: Hex = `0x${"ab".repeat(32)}`;
    const first = sending((block) => (block.number === 20 ? { ...block, parentHash: forked } : block));
    await expect(repair(findings, first)).rejects.toThrow(
      /block 20: parent hash 0xabab.*Nothing was replaced/s,
    );
    const last = sending((block) => (block.number === 21 ? { ...block, hash: forked } : block));
    await expect(repair(findings, last)).rejects.toThrow(/block 21, 0xabab.*is not the parent/s);
    expect(await tables(engine)).toEqual(damaged);
    expect((await repair(findings)).findings).toEqual([]);
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("asks all endpoints if one denies a stored block", async () => {
    await damage(engine, "ALTER TABLE sick_logs DELETE WHERE block_number = 20");
    const lying: Source = {
      ...stillSource(),
      blockRef: async (number) => ({ number, hash: `0x${"ab".repeat(32)}` }),
    };
    expect((await repair(await check(), lying)).findings).toEqual([]);
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("rolls back damage up to the newest block, for the indexer to fetch again", async () => {
    await damage(
      engine,
      "ALTER TABLE sick_blocks DELETE WHERE block_number = 20 OR block_number >= 57",
      "ALTER TABLE sick_logs DELETE WHERE block_number >= 56",
    );
    const { replaced, rolledBack, findings } = await repair(await check());
    expect({ replaced, findings }).toEqual({ replaced: 1, findings: [] });
    expect(rolledBack?.first).toBeGreaterThanOrEqual(56);
    expect(rolledBack?.last).toBe(LAST);
    await indexChain(engine);
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("reports the blocks that all its rounds rolled back", async () => {
    await damage(engine, `ALTER TABLE sick_logs DELETE WHERE block_number >= ${LAST - 1}`);
    // The second round finds the block next to the one that the first round rolled back.
    const last = { first: LAST, last: LAST };
    const known = (await check()).map((finding) => ({ ...finding, spans: [last] }));
    const { rolledBack, findings } = await repair(known);
    expect({ rolledBack, findings }).toEqual({ rolledBack: { first: LAST - 1, last: LAST }, findings: [] });
    await indexChain(engine);
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("leaves an empty store, without a finding, when every block is damaged", async () => {
    await damage(
      engine,
      "ALTER TABLE sick_blocks DELETE WHERE block_number = 30",
      "ALTER TABLE sick_blocks UPDATE log_count = log_count + 1 WHERE 1",
    );
    const { replaced, rolledBack, findings } = await repair(await check());
    expect({ replaced, rolledBack, findings }).toEqual({
      replaced: 0,
      rolledBack: { first: FIRST, last: LAST },
      findings: [],
    });
    expect(await check()).toEqual([]);
    await indexChain(engine);
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("derives again what only a deep check finds, and reports what still differs", async () => {
    let answers = 0;
    const renaming: Source = {
      ...stillSource(),
      call: async (calls) => {
        const truth = await stillSource().call(calls);
        return calls.map(({ data }, i) =>
          data === SYMBOL ? symbolText(`T${answers++}`) : (truth?.[i] ?? null),
        );
      },
    };
    const found = await derivedDifferently(renaming);
    expect(namesOf(found)).toContain("token_metadata derived again");
    const renamed = await repair(found, renaming, { deep: true });
    expect(renamed.replaced).toBeGreaterThan(0);
    expect(namesOf(renamed.findings)).toContain("token_metadata derived again");
    const { findings } = await repair(await derivedDifferently(stillSource()), stillSource(), { deep: true });
    expect(findings).toEqual([]);
    expect(await tables(engine)).toEqual(undamaged);
  });

  it("rolls an unfinished extension back to before the repaired blocks, from whose rows it was built", async () => {
    const copy = copyOf(CHAIN.name);
    await indexChain(engine, { name: copy });
    const whole = await tables(engine, copy);
    await writeExtension(engine, CHAIN.name, { firstBlock: FIRST, state: "building", tables: [] });
    for (const chain of [CHAIN.name, copy])
      await damage(engine, `ALTER TABLE ${chain}_transactions UPDATE input = 'x' WHERE block_number = 3`);
    expect(await tables(engine, copy)).not.toEqual(whole);

    const { findings } = await repair(await derivedDifferently(stillSource()), stillSource(), { deep: true });
    expect(findings).toEqual([]);
    expect(await tables(engine)).toEqual(undamaged);
    expect((await chainCommits(engine, copy).committed())?.blockNumber).toBe(2);
    await indexChain(engine, { name: copy });
    expect(await tables(engine, copy)).toEqual(whole);
    await dropCopy(engine, CHAIN.name);
    await endExtension(engine, CHAIN.name);
  });

  it("reports a newest block that is not the committed one, and commits out of order", async () => {
    await damage(
      engine,
      `ALTER TABLE sick_commits UPDATE block_hash = reverse(block_hash) WHERE block_number = ${LAST}`,
      "ALTER TABLE sick_commits DELETE WHERE sequence = 3",
    );
    expect(namesOf(await check())).toEqual(["newest block committed", "commits in order"]);
  });
});

describe("planRepair", () => {
  const commit = { sequence: 1, firstBlock: 0, blockNumber: 99_999, blockHash: "0x00" as const };
  const newest = { ...commit, timestamp: 0, finalized: null, committedAt: 0 };
  const finding = (remedy: Finding["remedy"], first: number, last: number): Finding => ({
    ...{ invariant: remedy, doc: "", impact: "", remedy, blocks: 0, rows: 0, examples: [], complete: true },
    spans: [{ first, last }],
  });

  it("repairs possible consequences only when nothing else is left", () => {
    const both = [finding("others", 50, 90), finding("blocks", 10, 12)];
    expect(planRepair(both, newest)).toEqual({ spans: [{ first: 10, last: 12 }], rollbackFrom: null });
    expect(planRepair(both.slice(0, 1), newest).spans).toEqual([{ first: 50, last: 90 }]);
    expect(planRepair([finding("store", 0, 99_999)], newest)).toEqual({ spans: [], rollbackFrom: null });
  });

  it("replaces damaged spans together that have few blocks between them", () => {
    const near = [finding("blocks", 10, 12), finding("blocks", 17, 17), finding("blocks", 23, 30)];
    expect(planRepair(near, newest).spans).toEqual([
      { first: 10, last: 17 },
      { first: 23, last: 30 },
    ]);
  });

  it("rolls the chain back from the first damage when a large part of it is damaged", () => {
    expect(planRepair([finding("blocks", 500, 20_498)], newest).rollbackFrom).toBeNull();
    expect(planRepair([finding("blocks", 500, 20_600)], newest)).toEqual({ spans: [], rollbackFrom: 500 });
  });
});
