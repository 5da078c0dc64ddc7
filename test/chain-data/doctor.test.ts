import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { type Checksums, tableChecksums } from "../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET, USDC_WETH } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, temporaryFolder } from "../support/processes/processes.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);

interface JsonReport {
  healthy: boolean;
  first_block: number;
  last_block: number;
  findings: { invariant: string; blocks: number; examples: string[] }[];
  replaced_blocks?: number;
  taken_back?: { first: number; last: number } | null;
}

describe("quarry doctor", () => {
  const folder = temporaryFolder();
  let node: Node;
  let undamaged: Checksums;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    const range = ["--from", String(FIRST), "--to", String(LAST)];
    const { code, stderr } = await runQuarry(["index", "--rpc", node.url, "--data", folder.path, ...range]);
    expect(code, stderr).toBe(0);
    undamaged = await tableChecksums(folder.path, "eth");
  });

  afterAll(async () => {
    await node?.stop();
    folder.remove();
  });

  const doctor = (...args: string[]) => runQuarry(["doctor", "--data", folder.path, "--port", "0", ...args]);

  async function damage(...statements: string[]): Promise<void> {
    const engine = await openEmbeddedEngine({ path: join(folder.path, "engine") });
    for (const statement of statements)
      await engine.execute(`${statement} SETTINGS mutations_sync = 1` as Sql);
    await engine.close();
  }

  it("finds full mainnet blocks healthy, even when they are derived again", async () => {
    const plain = await doctor();
    expect(plain).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`^((ok|warn) .*\n| +-> .*\n)+healthy: eth, blocks ${FIRST} to ${LAST}\n$`),
      ),
      stderr: "",
    });
    const deep = await doctor("--deep", "--rpc", node.url, "--json");
    expect(deep.code, deep.stdout + deep.stderr).toBe(0);
    expect(JSON.parse(deep.stdout)).toEqual({
      chain: "eth",
      first_block: FIRST,
      last_block: LAST,
      deep: true,
      healthy: true,
      environment: expect.arrayContaining([
        { check: "port", verdict: "ok", found: "any free port", advice: null },
        { check: `RPC ${node.url}`, verdict: "ok", found: expect.stringContaining("newest"), advice: null },
        {
          check: `clock compared with RPC ${node.url}`,
          verdict: "warn",
          found: expect.any(String),
          advice: expect.any(String),
        },
      ]),
      findings: [],
      not_checked: [],
      unproven: [],
    });
  });

  it("reports damage, changes nothing without --repair, and repairs it from the endpoint", async () => {
    await damage(
      `ALTER TABLE eth_logs DELETE WHERE block_number = ${FIRST + 1} AND log_index = 7`,
      `ALTER TABLE eth_blocks DELETE WHERE block_number = ${LAST - 1}`,
    );
    const json = await doctor("--json");
    expect(json.code, json.stderr).toBe(1);
    const { findings } = JSON.parse(json.stdout) as JsonReport;
    expect(findings.map(({ invariant }) => invariant)).toEqual(
      expect.arrayContaining(["every block once", "rows of logs"]),
    );
    const plain = await doctor();
    expect(plain.code).toBe(1);
    expect(plain.stdout).toContain("every block once (blocks: 1, rows: 1)");
    expect(plain.stdout).toContain("Nothing was changed.");
    const repaired = await doctor("--repair", "--rpc", node.url);
    expect(repaired.code, repaired.stdout + repaired.stderr).toBe(0);
    expect(repaired.stdout).toContain("Everything is repaired");
    expect(await tableChecksums(folder.path, "eth")).toEqual(undamaged);
  });

  it("finds damage that only --deep detects", async () => {
    await damage(
      `ALTER TABLE eth_dex_trades UPDATE amount_quote = amount_quote + 1 WHERE block_number = ${LAST - 1}`,
    );
    expect((await doctor()).code).toBe(0);
    const json = await doctor("--deep", "--rpc", node.url, "--json", "--from", String(FIRST + 2));
    expect(json.code, json.stderr).toBe(1);
    const { findings } = JSON.parse(json.stdout) as JsonReport;
    expect(findings.map(({ invariant }) => invariant)).toEqual(["dex_trades derived again"]);
    expect(findings[0]?.examples[0]).toBe(`block ${LAST - 1}: differs in amount_quote`);
    const repaired = await doctor("--deep", "--repair", "--rpc", node.url);
    expect(repaired.code, repaired.stdout + repaired.stderr).toBe(0);
    expect(await tableChecksums(folder.path, "eth")).toEqual(undamaged);
  });

  it("reports what is missing from its command line", async () => {
    const without = await doctor("--repair");
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain("--repair needs an RPC endpoint. Give one with --rpc");
    const nothing = ["doctor", "--data", `${folder.path}/nothing`, "--from", "5"];
    expect(await runQuarry(nothing)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--chain and --data"),
    });
    expect((await doctor("--from", "x")).code).toBe(2);
    expect((await doctor("--from", "1", "--to", "2")).stderr).toContain(`blocks ${FIRST} to ${LAST} are`);
  });
});

describe("quarry doctor on a recording of some logs", () => {
  it("finds it healthy", async () => {
    const folder = temporaryFolder();
    const node = await startReplayNode([USDC_WETH]);
    const place = ["--data", folder.path, "--rpc", node.url, "--no-verify"];
    const { first, last } = bundleCounts(USDC_WETH);
    const range = ["--from", String(first), "--to", String(last)];
    const { code, stderr } = await runQuarry(["index", ...place, ...range]);
    expect(code, stderr).toBe(0);
    const found = await runQuarry(["doctor", ...place, "--deep", "--port", "0"]);
    expect(found.code, found.stdout).toBe(0);
    await node.stop();
    folder.remove();
  });
});
