import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import { copyOf } from "../../storage/extension/chain-copy.ts";
import type { Engine } from "../../storage/store.ts";
import type { Finding } from "../finding.ts";
import { repairChain } from "../repair/repair-chain.ts";
import { CHAIN, damage, indexChain, mergeParts, stillSource, tables } from "../support/stored-chain.ts";
import { checkChain } from "./check-chain.ts";

interface Case {
  name: string;
  statements: string[];
  /**
   * Names of the invariants that must be reported for these spans. The invariants in `also` must also be
   * reported, but their spans are not checked.
   */
  invariants: string[];
  spans: [number, number][];
  also?: string[];
}

/** Cases of damage far from each other in one chain, which is checked and repaired once. */
interface Group {
  name: string;
  cases: Case[];
}

/** Returns the statement that inserts copies of rows with some columns changed. */
const again = (table: string, where: string, change: string) =>
  `INSERT INTO sick_${table} SELECT * REPLACE (${change}) FROM sick_${table} WHERE ${where}`;
const change = (table: string, where: string, changed: string) => [
  `CREATE TABLE changed AS sick_${table}`,
  `INSERT INTO changed SELECT * REPLACE (${changed}) FROM sick_${table} WHERE ${where}`,
  `ALTER TABLE sick_${table} DELETE WHERE ${where}`,
  `INSERT INTO sick_${table} SELECT * FROM changed`,
  "DROP TABLE changed SYNC",
];
const one = (table: string, block: number) =>
  `record_index = (SELECT min(record_index) FROM sick_${table} WHERE block_number = ${block})`;

/** Returns the condition for the oldest row of a table. */
const firstOf = (table: string) => `record_index = (SELECT min(record_index) FROM sick_${table})`;

/**
 * Condition for the newest token below block 50. This token's block is repaired, whereas the newest block is
 * rolled back.
 */
const LAST_TOKEN =
  "record_index = (SELECT max(record_index) FROM sick_token_metadata WHERE first_seen_block_number < 50)";

const MOST_TRADED =
  "token_address = (SELECT token_address FROM sick_dex_trades GROUP BY token_address ORDER BY count() DESC LIMIT 1)";

const GROUPS: Group[] = [
  {
    name: "lost, duplicate and moved rows",
    cases: [
      {
        name: "a lost trade of a wallet",
        statements: [`ALTER TABLE sick_wallet_trades DELETE WHERE ${one("wallet_trades", 21)}`],
        invariants: ["trades by wallet"],
        spans: [[21, 21]],
      },
      {
        name: "a trade of a wallet at another value",
        statements: change(
          "wallet_trades",
          one("wallet_trades", 30),
          "ifNull(amount_usd, 0) + 1 AS amount_usd",
        ),
        invariants: ["trades by wallet"],
        spans: [[30, 30]],
      },
      {
        name: "a lost log",
        statements: [`ALTER TABLE sick_logs DELETE WHERE ${one("logs", 51)}`],
        invariants: ["rows of logs"],
        spans: [[51, 51]],
      },
      {
        name: "a duplicate trade",
        statements: [again("dex_trades", one("dex_trades", 9), "block_number AS block_number")],
        invariants: ["rows of dex_trades"],
        spans: [[9, 9]],
      },
      {
        name: "a trade with another record_index",
        statements: change("dex_trades", one("dex_trades", 16), "record_index + 1000 AS record_index"),
        invariants: ["rows of dex_trades"],
        spans: [[16, 16]],
      },
      {
        name: "lost blocks at the start, in the middle and before the newest",
        statements: ["ALTER TABLE sick_blocks DELETE WHERE block_number IN (2, 3, 40, 57, 58)"],
        invariants: ["every block once"],
        spans: [
          [2, 3],
          [40, 40],
          [57, 58],
        ],
      },
      {
        name: "a duplicate block",
        statements: [again("blocks", "block_number = 47", "size AS size")],
        invariants: ["every block once"],
        spans: [[47, 47]],
      },
      {
        name: "a wrong parent hash",
        statements: change("blocks", "block_number = 36", "reverse(parent_hash) AS parent_hash"),
        invariants: ["blocks linked"],
        spans: [[35, 36]],
      },
      {
        name: "logs with another block's hash",
        statements: change("logs", one("logs", 54), "reverse(block_hash) AS block_hash"),
        invariants: ["rows of logs"],
        spans: [[54, 54]],
      },
    ],
  },
  {
    name: "wrong values",
    cases: [
      {
        name: "a block older than its parent",
        statements: change("blocks", "block_number = 40", "toDateTime(1600000000, 'UTC') AS timestamp"),
        invariants: ["blocks linked"],
        spans: [[39, 40]],
        also: ["rows of transactions"],
      },
      {
        name: "a log of another transaction",
        statements: change("logs", one("logs", 20), "reverse(transaction_hash) AS transaction_hash"),
        invariants: ["logs have transactions"],
        spans: [[20, 20]],
      },
      {
        name: "a wrong value of a transfer",
        statements: change("erc20", one("erc20", 43), "value_base + 1 AS value_base"),
        invariants: ["erc20 as logged"],
        spans: [[43, 43]],
      },
      {
        name: "a wrong amount of a transfer",
        statements: change("erc20", one("erc20", 51), "value_token * 2 AS value_token"),
        invariants: ["amounts in tokens"],
        spans: [[51, 51]],
      },
      {
        name: "an invented transfer in place of a real one",
        statements: change("erc20", one("erc20", 56), "log_index + 100 AS log_index"),
        invariants: ["erc20 as logged"],
        spans: [[56, 56]],
      },
      {
        name: "another token id",
        statements: change("erc721", one("erc721", 24), "token_id + 1 AS token_id"),
        invariants: ["erc721 as logged"],
        spans: [[24, 24]],
      },
      {
        name: "a trade on the other side",
        statements: change("dex_trades", one("dex_trades", 5), "if(side = 'buy', 'sell', 'buy') AS side"),
        invariants: ["trades as logged"],
        spans: [[5, 5]],
      },
      {
        name: "a trade of another amount",
        statements: change("dex_trades", one("dex_trades", 10), "amount_token * 1.001 AS amount_token"),
        invariants: ["amounts in tokens"],
        spans: [[10, 10]],
      },
      {
        name: "a trade of another trader",
        statements: change("dex_trades", one("dex_trades", 15), "reverse(trader_address) AS trader_address"),
        invariants: ["trades as logged"],
        spans: [[15, 15]],
      },
      {
        name: "a trade in another pool",
        statements: change("dex_trades", one("dex_trades", 32), "reverse(pool_address) AS pool_address"),
        invariants: ["trades as logged", "pools known"],
        spans: [[32, 32]],
      },
    ],
  },
  {
    name: "lost metadata, and rows at wrong times",
    cases: [
      {
        name: "a pool without metadata",
        statements: [`ALTER TABLE sick_pool_metadata DELETE WHERE ${firstOf("pool_metadata")}`],
        invariants: ["rows of pool_metadata", "pools known"],
        spans: [],
      },
      {
        name: "a token without metadata",
        statements: [`ALTER TABLE sick_token_metadata DELETE WHERE ${LAST_TOKEN}`],
        invariants: ["rows of token_metadata", "tokens known"],
        spans: [],
      },
      {
        name: "a duplicate trade with a time in another year",
        statements: [
          again("dex_trades", one("dex_trades", 21), "toDateTime(1500000000, 'UTC') AS timestamp"),
        ],
        invariants: ["rows of dex_trades"],
        spans: [[21, 21]],
      },
    ],
  },
];

/** Damage that needs its own chain, because it is found, or breaks invariants, in other blocks too. */
const CASES: Case[] = [
  {
    name: "a lost trade, after which later windows look wrong",
    statements: [`ALTER TABLE sick_dex_trades DELETE WHERE ${one("dex_trades", 21)}`],
    invariants: ["rows of dex_trades", "swaps traded"],
    spans: [[21, 21]],
    also: ["trailing windows"],
  },
  {
    name: "wrong decimals of the most traded token, without replacing all its trades",
    statements: change("token_metadata", MOST_TRADED, "decimals - 1 AS decimals"),
    invariants: ["amounts in tokens"],
    spans: [],
  },
  {
    name: "a token first seen too late",
    statements: change(
      "token_metadata",
      firstOf("token_metadata"),
      "first_seen_block_number + 5 AS first_seen_block_number, record_index + 5 * 4194304 + 9 AS record_index",
    ),
    invariants: ["rows of token_metadata", "tokens known"],
    spans: [],
  },
  {
    name: "a wrong count of trades in a window, and nothing else",
    statements: change("dex_trades", one("dex_trades", 21), "num_trades_24h + 1 AS num_trades_24h"),
    invariants: ["trailing windows"],
    spans: [[21, 21]],
  },
];

/** Maximum number of blocks that the repair of one case may replace. */
const MOST_REPLACED = 6;

const isWithin = ([first = 0, last = 0]: number[], spans: Case["spans"]) =>
  spans.some((span) => span[0] <= first && last <= span[1]);

describe("a stored chain", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-doctor-"));
  let engine: Engine;
  let undamaged: Record<string, unknown>;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder });
    await indexChain(engine);
    await mergeParts(engine);
    undamaged = await tables(engine);
  });

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  async function check(): Promise<Finding[]> {
    const commit = await (await openChainStore(engine, CHAIN.name)).committed();
    if (commit === null) throw new Error("nothing is committed");
    return checkChain({ engine, chain: CHAIN, commit });
  }

  async function repair(findings: readonly Finding[]) {
    const reopen = () => openChainStore(engine, CHAIN.name);
    const store = await reopen();
    const signal = new AbortController().signal;
    const openCopy = (chain: string) => openChainStore(engine, copyOf(chain));
    const stores = { engine, chain: CHAIN, store, reopen, openCopy };
    return repairChain(findings, { ...stores, source: stillSource(), signal });
  }

  it("without damage has no findings", async () => {
    expect(await check()).toEqual([]);
  });

  it.each(GROUPS)("with $name is reported and repaired", async ({ cases }) => {
    await expectRepair(cases);
  });

  it.each(CASES)("with $name is reported and repaired", async (one) => {
    await expectRepair([one]);
  });

  /**
   * Expects findings for the damaged blocks of each case, none for undamaged blocks, and a repair that
   * restores all rows.
   */
  async function expectRepair(cases: readonly Case[]): Promise<void> {
    await mergeParts(engine);
    for (const { statements } of cases) await damage(engine, ...statements);
    const findings = await check();
    const spansOf = (name: string) =>
      findings.find(({ invariant }) => invariant === name)?.spans.map(({ first, last }) => [first, last]);
    for (const { name, invariants, spans, also = [] } of cases) {
      expect(
        findings.map(({ invariant }) => invariant),
        name,
      ).toEqual(expect.arrayContaining([...invariants, ...also]));
      for (const invariant of invariants) {
        if (spans.length > 0) expect(spansOf(invariant), name).toEqual(expect.arrayContaining(spans));
      }
    }
    for (const [invariant = ""] of cases
      .filter(({ spans }) => spans.length > 0)
      .map((one) => one.invariants)) {
      expect(spansOf(invariant)?.filter((span) => !cases.some(({ spans }) => isWithin(span, spans)))).toEqual(
        [],
      );
    }
    const { findings: left, replaced } = await repair(findings);
    expect(replaced).toBeLessThanOrEqual(MOST_REPLACED * cases.length);
    expect(left).toEqual([]);
    expect(await tables(engine)).toEqual(undamaged);
  }
});
