/**
 * What does it cost to read the holders of a token? Compares tables with the projection of `token_balances`
 * by token, with a skip index on the token, and with neither. Also measures what each of these costs the
 * writer.
 *
 *   npm run bench -- holders --data FOLDER [--blocks 3000]
 */
import { identifier, integer, type Sql, sql } from "../src/engine-sql/sql-text.ts";
import { visibleRows } from "../src/engine-sql/visible-rows.ts";
import { tableOf } from "../src/schema/tables.ts";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { tableBody } from "../src/storage/tables/ddl.ts";
import { benchOptions } from "./support/bench-options.ts";
import { engineWork } from "./support/engine-alone.ts";
import { printTable } from "./support/print-table.ts";

const options = benchOptions(
  { data: "./data", blocks: 3_000, singleBlocks: 60, rounds: 5 },
  { blocks: 50, singleBlocks: 3, rounds: 1 },
);

/** Average number of rows per mainnet block in July 2023. */
const ROWS_PER_BLOCK = 263;
const TOKENS = 100;
const { blocks: BLOCKS, singleBlocks: SINGLE_BLOCKS, rounds: ROUNDS } = options;

const DROP_PROJECTION = sql`DROP PROJECTION by_token_address`;
const SKIP_INDEX = sql`ADD INDEX skip_token token_address TYPE bloom_filter(0.0005) GRANULARITY 1`;
const WAYS: Record<string, readonly Sql[]> = {
  neither: [DROP_PROJECTION],
  "skip index": [DROP_PROJECTION, SKIP_INDEX],
  projection: [],
};

const engine = await openEmbeddedEngine({ path: options.data });
const rows: (string | number)[][] = [];
for (const [way, changes] of Object.entries(WAYS)) rows.push([way, ...(await measure(changes))]);
printTable(
  ["with", "one block (ms)", `${BLOCKS} blocks (ms)`, "bytes a row", "holders (ms)", "it reads"],
  rows,
);
await engine.close();

async function measure(changes: readonly Sql[]): Promise<(string | number)[]> {
  const table = identifier("bench_balances");
  await engine.execute(sql`DROP TABLE IF EXISTS ${table} SYNC`);
  await engine.execute(sql`CREATE TABLE ${table} ${tableBody({}, "token_balances")}`);
  for (const change of changes) await engine.execute(sql`ALTER TABLE ${table} ${change}`);
  const blockMs = await timed(async () => {
    for (let block = 0; block < SINGLE_BLOCKS; block++) await engine.execute(balances(table, block, 1));
  });
  const backfillMs = await timed(() => engine.execute(balances(table, SINGLE_BLOCKS, BLOCKS)));
  await engine.execute(sql`OPTIMIZE TABLE ${table} FINAL`);
  const [size] = await engine.query<{ bytes: number }>(
    sql`SELECT sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts WHERE active AND table = 'bench_balances'`,
  );
  const holdersMs = await timed(async () => {
    for (let round = 0; round < ROUNDS; round++) await engine.query(holders(table));
  });
  return [
    (blockMs / SINGLE_BLOCKS).toFixed(1),
    backfillMs.toFixed(0),
    (size?.bytes ?? Number.NaN).toFixed(1),
    (holdersMs / ROUNDS).toFixed(1),
    await engineWork(engine, holders(table)),
  ];
}

/**
 * Returns the statement that inserts balances. Tokens with smaller numbers have more holders, and each
 * balance belongs to a different wallet.
 */
function balances(table: Sql, first: number, count: number): Sql {
  const n = sql`(${integer(first * ROWS_PER_BLOCK)} + number)`;
  const token = sql`toUInt8(pow(sipHash64(${n}) % 10000 / 10000, 2) * ${integer(TOKENS)})`;
  return sql`INSERT INTO ${table} (wallet_address, token_address, token_symbol, balance_base, balance_token, block_number, timestamp, record_index)
    SELECT toFixedString(unhex(substring(hex(SHA1(toString(${n}))), 1, 40)), 20),
      toFixedString(unhex(substring(hex(SHA1(concat('token', toString(${token})))), 1, 40)), 20), 'SYM',
      toUInt256(sipHash64(${n}, 1)) * 1000003, 1.5, intDiv(${n}, ${integer(ROWS_PER_BLOCK)}) AS block,
      toDateTime(1700000000 + block * 12), bitShiftLeft(block, 32) + ${n} % ${integer(ROWS_PER_BLOCK)}
    FROM numbers(${integer(count * ROWS_PER_BLOCK)})`;
}

/** Returns the SQL endpoint's query for a token of medium rank. */
function holders(table: Sql): Sql {
  const token = sql`toFixedString(unhex(substring(hex(SHA1('token50')), 1, 40)), 20)`;
  const source = visibleRows(tableOf("token_balances"), {
    from: table,
    as: sql`stored`,
    upTo: SINGLE_BLOCKS + BLOCKS,
    where: [sql`stored.token_address = ${token}`],
  });
  return sql`SELECT hex(wallet_address) AS wallet, toString(newest.balance_base) AS balance FROM ${source} AS newest
    WHERE newest.balance_base > 0 ORDER BY newest.balance_base DESC LIMIT 100`;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
