import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { get, post } from "../../src/api/support/http.ts";
import { ethereum } from "../../src/chains/ethereum.ts";
import { openForWriting } from "../../src/cli/open-store.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import { rederive } from "../../src/doctor/check/deep-check.ts";
import { notCheckedIn } from "../../src/doctor/check/not-checked.ts";
import { checkTail } from "../../src/doctor/repair/tail.ts";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import { FAN_OUT_RECIPIENTS, isKept, RAW_TABLES } from "../../src/schema/scope.ts";
import { measurePruning, pruneRows } from "../../src/storage/rows/pruning.ts";
import type { Engine } from "../../src/storage/store.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { checksums } from "../support/engine/table-checksums.ts";
import { ALWAYS_KEPT, among, BLOCKS, indexChain, readable, SOURCE } from "./support/kept-chains.ts";

const [FIRST, LAST] = [BLOCKS[0]?.number ?? 0, BLOCKS.at(-1)?.number ?? 0];
const MIDDLE = FIRST + 6;
/** Names of chains with the same blocks, by level of `--keep`. */
const NAMES = { all: "whole", "no-input": "noinput", "no-logs": "nologs", trades: "trades" } as const;
const WITH_LESS = ["no-input", "no-logs", "trades"] as const;

let engine: Engine;
let close: () => Promise<void>;
let app: FastifyInstance;
let whole: Record<string, unknown>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
  for (const [keep, name] of Object.entries(NAMES)) {
    await indexChain(engine, name, keep as keyof typeof NAMES);
  }
  whole = await checksums(engine, NAMES.all);
  app = await serve();
}, 240_000);
afterAll(async () => {
  await app?.close();
  await close?.();
});

async function serve(...more: string[]): Promise<FastifyInstance> {
  const chains = await Promise.all([...Object.values(NAMES), ...more].map((name) => readable(engine, name)));
  return createServer({ engine, chains });
}

const sql = (query: string, from = app) => post(from, "/v1/sql", { query });

async function findingsIn(name: string) {
  const { chain, store } = await readable(engine, name);
  const commit = await store.committed();
  if (commit === null) throw new Error("nothing is committed");
  const findings = await checkChain({ engine, chain, commit });
  const span = { first: FIRST, last: LAST };
  const options = { engine, chain, commit, span, signal: new AbortController().signal };
  const source = {
    ...SOURCE,
    async *blocks({ from, to }: { from: number; to: number | null }) {
      yield* BLOCKS.filter(({ number }) => number >= from && number <= (to ?? LAST));
    },
  };
  return {
    findings: [...findings, ...(await rederive({ ...options, source }))],
    tail: (await checkTail(engine, name, commit, chain.scope === undefined ? {} : { scope: chain.scope }))
      .damaged,
    notChecked: notCheckedIn(chain, commit, span).map(({ invariant }) => invariant),
  };
}

/** Returns responses that must not depend on the level of `--keep`. */
async function answersOf(name: string, from = app) {
  const pools = await engine.query<{ pool: string }>(
    `SELECT DISTINCT lower(concat('0x', hex(pool_address))) AS pool FROM ${NAMES.all}_dex_trades
      ORDER BY pool LIMIT 400` as Sql,
  );
  const spam = await sql(
    `SELECT token_address, spam_reasons FROM ${name}_token_metadata WHERE spam_reasons IS NOT NULL ORDER BY token_address`,
    from,
  );
  const trades = await sql(
    `SELECT pool_address, wash_reason FROM ${name}_dex_trades ORDER BY record_index LIMIT 3000`,
    from,
  );
  const tvl = await post(from, "/v1/market-api/batch-latest-pool-tvl", {
    pool_address: pools.map(({ pool }) => pool),
    chain: name,
  });
  return {
    spam: spam.body,
    trades: trades.body,
    tvl: tvl.body,
    statuses: [spam, trades, tvl].map(({ status }) => status),
  };
}

describe("an index that keeps less", () => {
  it.each(WITH_LESS)(
    "with --keep %s has the same trades, prices, balances, reserves and verdicts",
    async (keep) => {
      expect(among(await checksums(engine, NAMES[keep]), ALWAYS_KEPT)).toEqual(among(whole, ALWAYS_KEPT));
      const answers = await answersOf(NAMES[keep]);
      expect(answers.statuses).toEqual([200, 200, 200]);
      const { tvl, ...others } = await answersOf(NAMES.all);
      expect(answers).toEqual({ ...others, tvl });
      const valued = (tvl as { data: { tvl_usd: number | null }[] }).data.filter(
        ({ tvl_usd }) => tvl_usd !== null,
      );
      expect(valued.length).toBeGreaterThan(20);
    },
  );

  it.each(WITH_LESS)("with --keep %s refuses each table that it omits, and no other", async (keep) => {
    const name = NAMES[keep];
    const { chain } = await readable(engine, name);
    for (const table of RAW_TABLES) {
      const path = `/v1/topk-api/${table}?groupby=transaction_hash&eq=0x${"11".repeat(32)}&chain=${name}`;
      const answers = [await sql(`SELECT * FROM ${name}_${table} LIMIT 1`), await get(app, path)];
      answers.push(await sql(`DESCRIBE ${name}_${table}`));
      const isStored = isKept(chain.scope ?? { keep, rawFrom: 0 }, table);
      expect(
        answers.map(({ status }) => status),
        table,
      ).toEqual(Array(3).fill(isStored ? 200 : 400));
      const said = isStored
        ? ""
        : `${name}_${table} is not stored: this chain is indexed with --keep ${keep}`;
      for (const { body } of answers) expect(JSON.stringify(body)).toContain(said);
    }
    const shown = JSON.stringify((await sql("SHOW TABLES")).body);
    expect(shown.includes(`${name}_transactions`)).toBe(keep !== "trades");
    const { body } = await get(app, "/v1/status");
    const found = (body as { chains: Record<string, unknown>[] }).chains.find((one) => one.chain === name);
    expect(found).toMatchObject({ keep, raw_first_block: keep === "trades" ? null : FIRST });
    expect(Object.keys(found?.rows as object).includes("logs")).toBe(keep === "no-input");
  });

  it("with --keep no-input names the missing column, and leaves it out of * and of records", async () => {
    const [first] = BLOCKS[0]?.transactions ?? [];
    const named = await sql(`SELECT input FROM noinput_transactions LIMIT 1`);
    expect(named.status).toBe(400);
    expect(JSON.stringify(named.body)).toContain("noinput_transactions.input is not stored");
    expect(
      (await sql("SELECT method_id AS input FROM noinput_transactions ORDER BY input LIMIT 1")).status,
    ).toBe(200);
    const starred = await sql("SELECT * FROM noinput_transactions LIMIT 1");
    const path = `/v1/topk-api/transactions?groupby=from_address&eq=${first?.from}`;
    const records = await get(app, `${path}&chain=noinput`);
    for (const text of [starred, records].map(({ body }) => JSON.stringify(body))) {
      expect(text).toContain('"method_id"');
      expect(text).not.toContain('"input"');
    }
    expect(JSON.stringify((await get(app, `${path}&chain=whole`)).body)).toContain('"input"');
  });

  it.each(WITH_LESS)("with --keep %s passes the doctor, which lists what it cannot check", async (keep) => {
    const { findings, tail, notChecked } = await findingsIn(NAMES[keep]);
    expect(findings).toEqual([]);
    expect(tail).toBeNull();
    expect(notChecked.includes("trades as logged")).toBe(keep !== "no-input");
    expect(notChecked.includes("rows of transactions")).toBe(keep === "trades");
    expect(notChecked).not.toContain("rows of dex_trades");
  });

  it("reports a lost row of an excerpt", async () => {
    await indexChain(engine, "damaged", "trades");
    await engine.execute(
      "ALTER TABLE damaged_logs DELETE WHERE record_index = (SELECT min(record_index) FROM damaged_logs) SETTINGS mutations_sync = 1" as Sql,
    );
    const { findings, tail } = await findingsIn("damaged");
    expect(findings.map(({ invariant }) => invariant)).toContain("rows of logs");
    expect(tail).not.toBeNull();
  });

  it("can be continued with the same level or without one, but not with another", async () => {
    const facts = { ...ethereum, name: NAMES.trades };
    await expect(openForWriting(engine, facts, { keep: "all" })).rejects.toThrow(
      /indexed here with --keep trades, which cannot be changed to --keep all/,
    );
    await expect(
      openForWriting(engine, { ...ethereum, name: NAMES.all }, { keep: "trades" }),
    ).rejects.toThrow(/quarry prune/);
    const store = await openForWriting(engine, facts, { keep: "trades" });
    await openForWriting(engine, facts);
    expect((await readable(engine, NAMES.trades)).chain.scope).toEqual({ keep: "trades", rawFrom: 0 });
    expect((await store.committed())?.blockNumber).toBe(LAST);
  });

  it("has the same rows after a rollback", async () => {
    const { store } = await indexChain(engine, "rolled", "trades");
    const before = await checksums(engine, "rolled");
    const block = BLOCKS[3];
    if (block === undefined) throw new Error("no block");
    await store.rollback({ number: block.number, hash: block.hash, timestamp: block.timestamp });
    const { BlockPipeline } = await import("../../src/ingest/blocks/block-pipeline.ts");
    const { chain } = await readable(engine, "rolled");
    const pipeline = new BlockPipeline({ chain, source: SOURCE, engine });
    const [next, ...rest] = BLOCKS.slice(4);
    if (next === undefined) throw new Error("no block");
    await store.commit(await pipeline.prepare([next, ...rest], await store.committed()));
    expect(await checksums(engine, "rolled")).toEqual(before);
  });
});

describe("pruning", () => {
  const pruned = "pruned";
  const scope = { keep: "all", rawFrom: MIDDLE } as const;

  it("refuses blocks that are not final", async () => {
    const { store } = await indexChain(engine, pruned);
    await expect(store.prune({ keep: "all", rawFrom: LAST + 2 })).rejects.toThrow(/cannot prune/);
    expect(await checksums(engine, pruned)).toEqual(whole);
  });

  it("that is interrupted shows no half-pruned block, and is completed by the next run", async () => {
    const store = await openForWriting(engine, { ...ethereum, name: pruned });
    const measured = await measurePruning(engine, pruned, scope);
    const stop = new AbortController();
    const interrupted = store.prune(scope, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(interrupted).rejects.toThrow();
    // The first table is pruned, but the others are not.
    const [left] = await engine.query<{ logs: number; transactions: number }>(
      `SELECT (SELECT count() FROM pruned_logs WHERE block_number < ${MIDDLE}) AS logs,
        (SELECT count() FROM pruned_transactions WHERE block_number < ${MIDDLE}) AS transactions` as Sql,
    );
    expect(left?.transactions).toBe(0);
    expect(Number(left?.logs)).toBeGreaterThan(1_000);
    const server = await serve(pruned);
    try {
      for (const table of RAW_TABLES) {
        const { body } = await sql(`SELECT MIN(block_number) AS first FROM ${pruned}_${table}`, server);
        expect((body as { first: number }[])[0]?.first, table).toBeGreaterThanOrEqual(MIDDLE);
      }
    } finally {
      await server.close();
    }
    await store.prune(scope);
    const rows = Object.fromEntries(Object.entries(measured).map(([table, freed]) => [table, freed.rows]));
    const [stored] = await engine.query<Record<string, number>>(
      `SELECT ${RAW_TABLES.map((table) => `(SELECT count() FROM whole_${table}) - (SELECT count() FROM pruned_${table}) AS ${table}`).join(", ")}` as Sql,
    );
    expect(rows).toEqual(stored);
    expect(await pruneRows(engine, pruned, scope)).toMatchObject({ logs: { rows: 0 }, erc20: { rows: 0 } });
  });

  it("keeps everything else, and the rows of later blocks", async () => {
    expect(among(await checksums(engine, pruned), [...ALWAYS_KEPT, "blocks"])).toEqual(
      among(whole, [...ALWAYS_KEPT, "blocks"]),
    );
    const server = await serve(pruned);
    try {
      expect(await answersOf(pruned, server)).toEqual(await answersOf(NAMES.all));
      for (const table of RAW_TABLES) {
        const count = (name: string, where = "") =>
          sql(`SELECT COUNT(*) AS n, SUM(record_index) AS sum FROM ${name}_${table}${where}`, server);
        const { body } = await count(pruned);
        expect(body).toEqual((await count(NAMES.all, ` WHERE block_number >= ${MIDDLE}`)).body);
      }
      const [token] = BLOCKS[0]?.transactions.flatMap(({ logs }) => logs.map(({ address }) => address)) ?? [];
      const records = async (name: string, order: string) =>
        (
          await get(
            server,
            `/v1/topk-api/logs?groupby=address&eq=${token}&size=500&order=${order}&chain=${name}`,
          )
        ).body;
      const later = (body: unknown) =>
        Object.values(body as Record<string, { block_number: number }[]>)
          .flat()
          .filter((one) => one.block_number >= MIDDLE);
      for (const order of ["asc", "desc"]) {
        expect(Object.values((await records(pruned, order)) as object).flat()).toEqual(
          later(await records(NAMES.all, order)),
        );
      }
      const { body } = await get(server, "/v1/status");
      const found = (body as { chains: Record<string, unknown>[] }).chains.find(
        (one) => one.chain === pruned,
      );
      expect(found).toMatchObject({ keep: "all", first_block: FIRST, raw_first_block: MIDDLE });
      expect(JSON.stringify((await sql("SHOW TABLES", server)).body)).toContain(
        `before ${MIDDLE} were pruned`,
      );
    } finally {
      await server.close();
    }
  });

  it("passes the doctor, which lists what it cannot check", async () => {
    const { findings, tail, notChecked } = await findingsIn(pruned);
    expect(findings).toEqual([]);
    expect(tail).toBeNull();
    expect(notChecked).toContain("rows of transactions");
  });

  it("keeps airdrops, on which spam verdicts depend, and drops smaller payouts", async () => {
    const name = "airdrops";
    const { store } = await indexChain(engine, name);
    const sent = (recipients: number, token: string) =>
      engine.execute(
        `INSERT INTO ${name}_erc20 SELECT stored.* REPLACE (unhex('${token.repeat(20)}') AS token_address,
          unhex(leftPad(hex(toUInt32(recipient)), 40, '0')) AS to_address)
          FROM (SELECT * FROM ${name}_erc20 WHERE block_number = ${FIRST} LIMIT 1) AS stored
          CROSS JOIN (SELECT number AS recipient FROM numbers(${recipients})) AS recipients` as Sql,
      );
    await sent(FAN_OUT_RECIPIENTS, "aa");
    await sent(FAN_OUT_RECIPIENTS - 1, "bb");
    await store.prune(scope);
    const left = await engine.query(
      `SELECT lower(substring(hex(token_address), 1, 2)) AS token, count() AS rows FROM ${name}_erc20
        WHERE block_number < ${MIDDLE} GROUP BY token ORDER BY token` as Sql,
    );
    expect(left).toEqual([{ token: "aa", rows: FAN_OUT_RECIPIENTS }]);
  });

  it("is undone for blocks that are rolled back and indexed again", async () => {
    const store = await openForWriting(engine, { ...ethereum, name: pruned });
    const block = BLOCKS[2];
    if (block === undefined) throw new Error("no block");
    await store.rollback({ number: block.number, hash: block.hash, timestamp: block.timestamp });
    await openForWriting(engine, { ...ethereum, name: pruned });
    expect((await readable(engine, pruned)).chain.scope).toEqual({ keep: "all", rawFrom: block.number + 1 });
  });
});
