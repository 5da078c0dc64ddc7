import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quarryProgram } from "../../src/cli/program.ts";
import { BARE_CHAIN } from "../support/nodes/bare-chain.ts";
import { runQuarry, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
const scripts: Record<string, string> = {};

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout, stderr } = await runQuarry(["completion", shell]);
    expect(code, stderr).toBe(0);
    scripts[shell] = join(folder.path, shell);
    writeFileSync(scripts[shell], stdout);
  }
});
afterAll(() => folder.remove());

const isInstalled = (command: string) => spawnSync(command, ["--version"]).status === 0;
const canType = isInstalled("script") && process.platform === "linux";

const ALL_COMMANDS = quarryProgram().commands.map((command) => command.name());

/** Returns a shell's suggestions for the last of these words. */
function completions(shell: "bash" | "fish", words: string[]): string[] {
  const line = words.join(" ");
  const script = {
    bash: `source ${scripts.bash}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quarry; printf '%s\\n' "\${COMPREPLY[@]}"`,
    fish: `source ${scripts.fish}; complete -C '${line}' | string split -f1 \\t`,
  };
  const args = shell === "bash" ? ["-c", script.bash, "bash", ...words] : ["-c", script.fish];
  const { stdout, stderr } = spawnSync(shell, args, { encoding: "utf8", cwd: folder.path });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe.each(["bash", "fish"] as const)("completion in %s", (shell) => {
  const run = it.skipIf(!isInstalled(shell));

  run("completes every command and all its options", () => {
    expect(completions(shell, ["quarry", ""])).toEqual(expect.arrayContaining(ALL_COMMANDS));
    for (const command of quarryProgram().commands) {
      const flags = command.options.map(({ long }) => long);
      const words = completions(shell, ["quarry", command.name(), "--"]).map((word) => word.split("=")[0]);
      expect(words.toSorted()).toEqual([...flags, "--help"].toSorted());
    }
  });

  run.each([
    [
      ["quarry", "st"],
      ["start", "status"],
    ],
    [["quarry", "index", "--chain", "m"], ["matic"]],
    [
      ["quarry", "query", "--format", ""],
      ["arrow", "csv", "json", "ndjson", "parquet", "table"],
    ],
    [["quarry", "serve", "--log-level", "tr"], ["trace"]],
    [["quarry", "completion", "z"], ["zsh"]],
    [["quarry", "serve", "--port", ""], []],
  ])("completes %j to %j", (words, expected) => {
    expect(completions(shell, words).toSorted()).toEqual(expected);
  });
});

it.skipIf(!isInstalled("bash"))("bash also completes a value after =", () => {
  expect(completions("bash", ["quarry", "index", "--chain", "=", "b"])).toEqual(["base"]);
  expect(completions("bash", ["quarry", "index", "--chain", "="])).toEqual(["eth", "base", "matic"]);
});

describe.each([
  ["bash", "bash --norc -i", ""],
  ["zsh", "zsh -f -i", "autoload -U compinit; compinit -u -D\n"],
])("TAB in %s", (shell, command, before) => {
  it.skipIf(!canType || !isInstalled(shell))("completes typed words", () => {
    const typed = [
      `${before}source ${scripts[shell]}`,
      'quarry() { echo "GOT:$*"; }',
      "quarry comp\tba\t",
      "quarry index --chain ma\t",
      "quarry query --format pa\t",
      "exit\n",
    ].join("\n");
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
      input: typed,
      encoding: "utf8",
    });
    const got = [...stdout.matchAll(/^.*GOT:([a-z -]+?)\s*$/gm)].map(([, words]) => words);
    expect(got).toEqual(["completion bash", "index --chain matic", "query --format parquet"]);
  });
});

it("completes the chains of the configuration file", async () => {
  const config = join(folder.path, "mine.json");
  writeFileSync(config, JSON.stringify({ chains: { mychain: BARE_CHAIN } }));
  const { stdout } = await runQuarry(["completion", "fish", "--config", config]);
  expect(stdout).toContain("-a 'eth base matic mychain'");
});
