import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { SETTINGS, type SettingName } from "../../src/config/settings.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const PAGE = join(import.meta.dirname, "../../docs/configuration.md");

/** Returns the default value of a setting. */
function defaultOf({ schema }: (typeof SETTINGS)[keyof typeof SETTINGS]): string {
  const { data } = schema.safeParse(undefined);
  return data === undefined ? "" : `\`${data}\``;
}

function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([key, setting]) => {
    const { flag, env, doc } = setting;
    return `| \`${flag}\` | \`${env}\` | \`${key}\` | ${defaultOf(setting)} | ${doc.replaceAll("|", "\\|")} |`;
  });
  return ["| flag | environment | key | default | |", "|---|---|---|---|---|", ...rows].join("\n");
}

it("docs/configuration.md lists every setting as it is declared", async () => {
  const page = readFileSync(PAGE, "utf8");
  // After a change of a setting, run `npx vitest run test/pages/configuration-page.test.ts -u` to write the
  // page.
  const written = page.replace(
    /(<!-- settings -->\n)[\s\S]*?(<!-- end -->)/,
    (_, head: string, end: string) => `${head}${settingsTable()}\n${end}`,
  );
  await expect(written).toMatchFileSnapshot(PAGE);
});

it("shows configuration files that are valid", () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "quarry.config.json");
  const examples = [...readFileSync(PAGE, "utf8").matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, text]) => text ?? "",
  );
  const all = ["rpc", "data", "queryTime"] satisfies SettingName[];
  const [settings, chains, servers] = examples.map((text) => {
    writeFileSync(file, text);
    return loadConfig(all, { flags: { rpc: "http://127.0.0.1:1" }, env: {}, file });
  });
  folder.remove();
  expect(examples).toHaveLength(3);
  expect(settings?.settings.queryTime).toBe(60);
  expect(chains?.chains.get("bsc")?.chainId).toBe(56);
  expect(servers?.servers.get("base")).toMatch(/^http:.*clickhouse-2/);
});
