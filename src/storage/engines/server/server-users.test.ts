import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageFolder } from "../../../lib/package-folder.ts";
import { privilegesOf } from "./server-users.ts";

/** Returns the system tables that the SQL in Quarry's source files reads. */
function systemTables(): Set<string> {
  const folder = join(packageFolder(), "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const names = sources.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/\b(?:FROM|JOIN) system\.(\w+)/g)].map(
      ([, name = ""]) => name,
    ),
  );
  // `KILL QUERY` reads it to find the statement.
  return new Set([...names, "processes"]);
}

it.each(["writer", "reader"] as const)("the %s may read the system tables that Quarry reads", (role) => {
  const granted = privilegesOf(role, "quarry")
    .map(({ on }) => on.replaceAll("`", ""))
    .filter((table) => table.startsWith("system."));
  expect(granted).toEqual([...systemTables()].sort().map((name) => `system.${name}`));
});

it("a reader may only read", () => {
  expect(new Set(privilegesOf("reader", "quarry").map(({ privileges }) => privileges))).toEqual(
    new Set(["SELECT"]),
  );
});
