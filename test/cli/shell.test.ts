import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openForWriting, openStore } from "../../src/cli/open-store.ts";
import { quarryProgram } from "../../src/cli/program.ts";
import { commitTrades, ETH, hexOf } from "../../src/reads/support/market.ts";
import {
  ROOT,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";

const PAGE = join(ROOT, "docs/shell.md");
const UNUSED_PORT = "1";

const folder = temporaryFolder();
const data = join(folder.path, "data");

beforeAll(async () => {
  const store = await openStore({ data });
  const chain = await openForWriting(store.engine, ETH);
  const trades = [1, 2, 3].map((token) => ({ token: hexOf(token), at: 1_704_412_800, price: 1 }));
  await commitTrades(chain, trades, { firstBlock: 1000 });
  await store.close();
});
afterAll(() => folder.remove());

function commandNamed(name: string): Command {
  const program = quarryProgram();
  return program.commands.find((command) => command.name() === name) ?? program;
}

function helpOf(name: string): string {
  const command = commandNamed(name);
  let help = "";
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 80, getOutHasColors: () => false });
  command.outputHelp();
  return help;
}

describe("the help", () => {
  const names = ["quarry", ...quarryProgram().commands.map((command) => command.name())];

  it("is quoted unchanged in docs/shell.md", async () => {
    const page = readFileSync(PAGE, "utf8");
    const marked = [...page.matchAll(/<!-- help: (.+) -->/g)].map(([, name]) => name);
    expect(marked).toEqual(names);
    const written = page.replace(
      /(<!-- help: (\S+) -->)\n(?:\n```text\n[\s\S]*?\n```\n)?/g,
      (_, mark: string, name: string) => `${mark}\n\n\`\`\`text\n${helpOf(name)}\`\`\`\n`,
    );
    // After a change of a command or a setting, run `npx vitest run test/cli/shell.test.ts -u` to write the
    // page.
    await expect(written).toMatchFileSnapshot(PAGE);
    expect((await runQuarry(["status", "--help"])).stdout).toBe(helpOf("status"));
  });

  it.each(names)("of %s ends with examples that the command accepts", (name) => {
    const [, examples = ""] = helpOf(name).split("\nExamples:\n");
    const lines = [...examples.matchAll(/^ {2}(?:source <\()?quarry (\S+)([^|><)]*)/gm)];
    expect(lines.length).toBeGreaterThan(0);
    for (const [line, command = "", rest = ""] of lines) {
      const words = rest.match(/"[^"]*"|\S+/g) ?? [];
      const { unknown } = commandNamed(command).parseOptions(words.filter((word) => word !== "--help"));
      expect([line, unknown]).toEqual([line, []]);
      expect(quarryProgram().commands.map((known) => known.name())).toContain(command);
    }
  });
});

describe("quarry help", () => {
  it("prints the same as --help, for the program and for a command", async () => {
    for (const command of [[], ["serve"]]) {
      const asked = await runQuarry(["help", ...command]);
      expect(asked).toEqual(await runQuarry([...command, "--help"]));
      expect(asked.code).toBe(0);
    }
  });
});

describe("an error on the command line", () => {
  it.each([
    [["strat"], /^quarry: unknown command 'strat'\n\(Did you mean start\?\)\n\(quarry --help shows/],
    [["help", "strat"], /^quarry: unknown command 'strat'\n\(Did you mean start\?\)\n\(quarry --help shows/],
    [
      ["index", "--chian", "eth"],
      /unknown option '--chian'\n\(Did you mean --chain\?\)\n\(quarry index --help/,
    ],
    [[], /Usage: quarry[\s\S]*Examples:[\s\S]*quarry demo/],
    [["serve", "--port", "99999"], /--port: "99999" is not allowed\. Give a whole number from 0 to 65535/],
    [["serve", "--query-time", "x"], /--query-time: "x" is not allowed\. Give a number from 0\.1 to 3600/],
    [["serve", "--log-level", "loud"], /Give one of trace, debug, info, warn, error, silent/],
    [
      ["index", "--rpc", "http://127.0.0.1:1", "--chain", "matc"],
      /unknown chain "matc"; did you mean "matic"\? Known: eth/,
    ],
    [["index"], /missing --rpc .*QUARRY_RPC/],
    [
      ["doctor", "--from", "100", "--to", "50"],
      /^quarry: --to 50 is before --from 100\. Give a later --to or an earlier --from\.\n$/,
    ],
    [
      ["rewind", "5", "--data", data, "--chain", "base"],
      /block 5 cannot be the newest: no block is indexed here\. Give the indexed chain/,
    ],
    [["rewind", "5", "--data", data], /block 5 cannot be the newest: blocks 1000 to 1\d+ are indexed\. Give/],
    [["serve", "--config", "/none.json"], /cannot read .*none\.json \(ENOENT\)\. Name an existing file/],
    [["serve", "--data", data, "--host", "203.0.113.1"], /cannot listen on 203\.0\.113\.1:8080.*--port/],
  ])("%j: prints what to do, and exits with 2", async (args, sentence) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(sentence)]);
    expect(stderr).not.toMatch(/ at .*:\d+:\d+\n/);
  });

  it("repeats no secret", async () => {
    const url = "ftp://user:swordfish@host";
    const { code, stderr } = await runQuarry(["serve", "--clickhouse", url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--clickhouse: its value is not allowed")]);
    expect(stderr).not.toContain("swordfish");
  });
});

describe("a command that exits with 2", () => {
  let service: Running;
  let port = "";

  beforeAll(async () => {
    service = startQuarry(["serve", "--data", data, "--port", "0"]);
    [, port = ""] = await service.printed(/serving on http:\/\/[\d.]+:(\d+)/);
  });
  afterAll(async () => {
    await service.stop();
  });

  it.each([
    [["index", "--rpc", "foo"], /RPC URL "foo" is not valid/],
    [["start", "--rpc", "ws://127.0.0.1:1", "--port", "0"], /only ws:\/\/ and wss:\/\/ RPC URLs/],
    [["rewind", "5"], /none is not a data directory; nothing is indexed there\. Give another with --data/],
    [["rewind", "latest"], /"latest" is not a block number\. Give the number/],
    [["demo", "--port", "USED"], /the port is in use by another process/],
    [["serve", "--port", "USED"], /the port is in use by another process/],
    [["start", "--rpc", "http://127.0.0.1:1", "--port", "USED"], /the port is in use by another process/],
  ])("has created nothing: %j", async (args, sentence) => {
    const none = join(folder.path, "none");
    const given = args.map((word) => (word === "USED" ? port : word));
    const { code, stderr } = await runHere([...given, "--data", none]);
    expect([code, stderr, existsSync(none)]).toEqual([2, expect.stringMatching(sentence), false]);
  });

  it.each([
    ["index", "--rpc", "foo"],
    ["rewind", "latest"],
  ])("exits with 2 also if the data directory is in use: %s %s", async (...args) => {
    expect(await runHere([...args, "--data", data])).toMatchObject({ code: 2 });
  });
});

describe("a command that fails later", () => {
  it.each([
    [
      ["index", "--rpc", "http://127.0.0.1:1", "--data", join(folder.path, "x")],
      /ECONNREFUSED.*Check the URL/,
    ],
    [["serve", "--clickhouse", "http://127.0.0.1:1"], /127\.0\.0\.1:1 does not respond\. Check --clickhouse/],
    [["status", "--url", "http://127.0.0.1:1"], /no service responds at .*--url/],
  ])("%j: prints what to do, and exits with 1", async (args, sentence) => {
    const { code, stderr } = await runHere(args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
  });
});

describe("quarry status", () => {
  const status = (...args: string[]) => runHere(["status", ...args], { QUARRY_PORT: UNUSED_PORT });

  it("shows how far the chains of a data directory are indexed", async () => {
    const { code, stdout, stderr } = await status("--data", data);
    expect([code, stderr]).toEqual([0, `quarry: reading ${data} directly, without a service\n`]);
    const [names = "", row = ""] = stdout.split("\n");
    expect(names.split(/ +/)).toEqual([
      "chain",
      "state",
      "first_block",
      "indexed_block",
      "head_block",
      "lag_blocks",
      "age",
      "trades",
    ]);
    expect(row).toMatch(/^eth +served +1000 +\d+ +- +- +\d+d \d+h +3$/);
  });

  it("prints the response of a service for programs, and reports when there is none", async () => {
    const service = startQuarry(["serve", "--data", data, "--port", "0", "--keys", "a-secret-of-a-test"]);
    const [, url = ""] = await service.printed(/serving on (http:\/\/[\w.:]+)/);
    const { code, stdout } = await status("--url", url, "--key", "a-secret-of-a-test", "--json");
    const headers = { authorization: "Bearer a-secret-of-a-test" };
    const response = await fetch(`${url}/v1/status`, { headers });
    const answer = (await response.json()) as { chains: [{ lag_seconds: number }] };
    const { lag_seconds: _, ...rest } = answer.chains[0];
    expect([code, JSON.parse(stdout).chains]).toEqual([0, [expect.objectContaining(rest)]]);
    const refused = await status("--url", url);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("Give a valid key with --key"),
    ]);
    await service.stop();
    const missing = await runHere(["status"], {
      QUARRY_PORT: UNUSED_PORT,
      QUARRY_DATA: join(folder.path, "none"),
    });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("`quarry demo`")]);
  }, 200_000);
});
