import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openForWriting, openStore } from "../../src/cli/open-store.ts";
import { commitTrades, ETH, hexOf } from "../../src/reads/support/market.ts";
import { openDataDirectory } from "../../src/storage/directory/data-directory.ts";
import {
  ROOT,
  type Running,
  runQuarry,
  startProcess,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";

const AT = 1_704_412_800;
const UNUSED_PORT = "1";
const COUNT = "SELECT token_symbol, COUNT(*) AS trades FROM eth_dex_trades GROUP BY token_symbol ORDER BY 1";

const folder = temporaryFolder();
const data = join(folder.path, "data");
const env = { QUARRY_DATA: data, QUARRY_PORT: UNUSED_PORT };

beforeAll(async () => {
  const store = await openStore({ data });
  const chain = await openForWriting(store.engine, ETH);
  const trades = Array.from({ length: 10_001 }, (_, i) => ({ token: hexOf(1 + (i % 2)), at: AT, price: 1 }));
  await commitTrades(chain, trades, { firstBlock: 1000 });
  await store.close();
});
afterAll(() => folder.remove());

const query = (args: string[], more: Record<string, string> = {}) =>
  runHere(["query", ...args], { ...env, ...more });

describe("quarry query over a data directory", () => {
  it("reads it directly if no service is running, and says so", async () => {
    const { code, stdout, stderr } = await runQuarry(["query", COUNT], env);
    expect([code, stdout]).toEqual([0, "token_symbol  trades\nT1              5001\nT2              5000\n"]);
    expect(stderr).toBe(`quarry: reading ${data} directly, without a service\n(2 rows)\n`);
  });

  it.each(["json", "ndjson", "csv"])("prints %s and nothing else", async (format) => {
    const { code, stdout } = await query([COUNT, "--format", format, "--data", data]);
    const expected = {
      json: '[\n{"token_symbol":"T1","trades":5001},\n{"token_symbol":"T2","trades":5000}\n]\n',
      ndjson: '{"token_symbol":"T1","trades":5001}\n{"token_symbol":"T2","trades":5000}\n',
      csv: '"token_symbol","trades"\n"T1",5001\n"T2",5000\n',
    };
    expect([code, stdout]).toEqual([0, expected[format as keyof typeof expected]]);
  });

  it("writes files that other programs read, and no partial files", async () => {
    const parquet = join(folder.path, "trades.parquet");
    const arrow = join(folder.path, "trades.arrow");
    expect((await query([COUNT, "--format", "parquet", "--output", parquet])).code).toBe(0);
    expect((await query([COUNT, "--format", "arrow", "--output", arrow])).code).toBe(0);
    const bytes = readFileSync(parquet);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    expect(await parquetReadObjects({ file })).toEqual([
      { token_symbol: "T1", trades: 5001n },
      { token_symbol: "T2", trades: 5000n },
    ]);
    expect(tableFromIPC(readFileSync(arrow)).numRows).toBe(2);
    expect(existsSync(`${parquet}.part`)).toBe(false);
    const nowhere = await query([COUNT, "--output", join(folder.path, "no", "where")]);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      expect.stringContaining("ENOENT. Give another file with --output"),
    ]);
  });

  it("writes into a named pipe, which remains a pipe", async () => {
    const pipe = join(folder.path, "pipe");
    const bin = `${process.execPath} ${ROOT}/bin/quarry.cjs query "${COUNT}" --format csv --output ${pipe}`;
    const { stdout } = await startProcess(
      "sh",
      ["-c", `mkfifo ${pipe}; timeout 30 cat ${pipe} & ${bin}; wait`],
      env,
    ).finished;
    expect(stdout).toBe('"token_symbol","trades"\n"T1",5001\n"T2",5000\n');
    expect(statSync(pipe).isFIFO()).toBe(true);
    const directory = await query([COUNT, "--output", folder.path]);
    expect([directory.code, directory.stderr]).toEqual([2, expect.stringContaining("EISDIR")]);
  });

  it.each(["table", "csv"])("writes to standard output with --output - (%s)", async (format) => {
    const bin = `${process.execPath} ${ROOT}/bin/quarry.cjs query "${COUNT}" --format ${format}`;
    const output = (command: string) =>
      startProcess("sh", ["-c", `cd ${folder.path} && ${command}`], env).finished;
    const [dash, plain] = [await output(`${bin} --output -`), await output(bin)];
    expect([dash.code, dash.stdout, dash.stderr]).toEqual([0, plain.stdout, plain.stderr]);
    expect(existsSync(join(folder.path, "-"))).toBe(false);
  });

  it("reports a truncated answer", async () => {
    const all = "SELECT record_index FROM eth_dex_trades";
    const table = await query([all]);
    expect([table.stdout.split("\n").length, table.stderr]).toEqual([
      10_002,
      expect.stringContaining("(10000 rows, truncated)"),
    ]);
    const csv = await query([all, "--format", "csv"]);
    expect(csv.stderr).toContain("only the first 10000 rows were returned; set a LIMIT to get more");
    expect((await query([`${all} LIMIT 20000`, "--format", "csv"])).stderr).not.toContain("first");
  });

  it("makes CSV safe for spreadsheets on request", async () => {
    const formula = "SELECT '=1+1' AS formula FROM eth_dex_trades LIMIT 1";
    const plain = await query([formula, "--format", "csv"]);
    const safe = await query([formula, "--format", "csv", "--csv-safe"]);
    expect([plain.stdout, safe.stdout]).toEqual(['"formula"\n"=1+1"\n', `"formula"\n"'=1+1"\n`]);
  });

  it("marks the position of an error, and fails", async () => {
    const { code, stdout, stderr } = await query(["SELECT tokn FROM eth_dex_trades"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/quarry: line 1:8: .*\n {2}SELECT tokn FROM eth_dex_trades\n {9}\^\n$/);
  });

  it("reads the query from standard input", async () => {
    const bin = `${process.execPath} ${ROOT}/bin/quarry.cjs query - --format csv`;
    const shell = startProcess(
      "sh",
      ["-c", `printf 'SELECT COUNT(*) AS n\nFROM eth_dex_trades' | ${bin}`],
      env,
    );
    const { code, stdout } = await shell.finished;
    expect([code, stdout]).toEqual([0, '"n"\n10001\n']);
  });

  it("ends silently when its reader stops", async () => {
    const bin = `${process.execPath} ${ROOT}/bin/quarry.cjs query "SELECT * FROM eth_dex_trades" --format ndjson`;
    const { stdout, stderr } = await startProcess("sh", ["-c", `${bin} | head -n 1`], env).finished;
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toMatch(/EPIPE|unexpected|before it was complete/);
  });

  it.each([
    [[COUNT, "--format", "xml"], 2, "Allowed choices are table, json, ndjson, csv, parquet, arrow"],
    [[COUNT, "--csv-safe"], 2, "--csv-safe applies to CSV only. Add --format csv."],
    [[], 2, "missing required argument 'sql'"],
    [[COUNT, "--data", join(folder.path, "none")], 2, "none is not a data directory"],
    [[COUNT, "--url", "http://127.0.0.1:1"], 1, "no service responds at http://127.0.0.1:1"],
  ])("rejects %o", async (args, expected, sentence) => {
    const { code, stderr } = await query(args);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(sentence)]);
  });

  it("does not create a data directory", async () => {
    const empty = join(folder.path, "empty");
    mkdirSync(empty);
    const { code, stderr } = await query([COUNT], { QUARRY_DATA: empty });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("no service responds at http://127.0.0.1:1, and"),
    ]);
    expect(existsSync(join(empty, "quarry-format.json"))).toBe(false);
  });
});

describe("quarry query with a running service", () => {
  let service: Running;
  let url = "";

  beforeAll(async () => {
    service = startQuarry(["serve", "--data", data, "--port", "0", "--keys", "a-secret-of-a-test"]);
    [, url = ""] = await service.printed(/serving on (http:\/\/[\w.:]+)/);
  });
  afterAll(async () => {
    await service.stop();
  });

  it("queries it", async () => {
    const port = new URL(url).port;
    const { code, stdout, stderr } = await query([
      COUNT,
      "--format",
      "csv",
      "--port",
      port,
      "--key",
      "a-secret-of-a-test",
    ]);
    expect([code, stdout]).toEqual([0, '"token_symbol","trades"\n"T1",5001\n"T2",5000\n']);
    expect(stderr).toBe(`quarry: querying the service at http://127.0.0.1:${port}\n`);
    expect(
      (await query(["SHOW TABLES", "--url", `${url}/`, "--key", "a-secret-of-a-test"])).stdout,
    ).toContain("eth_dex_trades");
  });

  it("prints its error message", async () => {
    const { code, stderr } = await query([COUNT, "--url", url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("This service needs an API key")]);
  });

  it.each([
    ["with --data", ["--data", data]],
    ["with the default directory", []],
  ])("queries the service that has the data directory open, %s", async (_, args) => {
    const { code, stdout, stderr } = await query([
      COUNT,
      "--format",
      "csv",
      "--key",
      "a-secret-of-a-test",
      ...args,
    ]);
    expect([code, stdout]).toEqual([0, '"token_symbol","trades"\n"T1",5001\n"T2",5000\n']);
    expect(stderr).toBe(`quarry: querying the service at ${url}, which has ${data} open\n`);
  });
});

it("advises --url when another process has the directory open", async () => {
  const held = await openDataDirectory(data);
  const { code, stderr } = await query([COUNT]);
  await held.release();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/in use by process \d+ .* If that process is a service, give its URL with --url\./),
  ]);
});
