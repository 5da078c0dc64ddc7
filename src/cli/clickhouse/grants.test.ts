import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { printGrants } from "./grants.ts";

const NAMES = { database: "quarry", writer: "writer_1", reader: "reader_1" };

it("prints hashes in the statements, and the passwords only apart from them", () => {
  const { statements, logins } = printGrants(NAMES);
  for (const user of [NAMES.writer, NAMES.reader]) {
    const password = new RegExp(`http://${user}:([\\w-]{32})@HOST:8123/quarry`).exec(logins)?.[1] ?? "";
    const hash = createHash("sha256").update(password).digest("hex");
    expect(statements).toContain(
      `CREATE USER IF NOT EXISTS \`${user}\` IDENTIFIED WITH sha256_hash BY '${hash}'`,
    );
    expect(statements).not.toContain(password);
  }
  expect(printGrants(NAMES).logins).not.toBe(logins);
});

it("lets only the writer end its writes on all replicas, and only in ClickHouse Cloud", () => {
  const added = (cloud: boolean) =>
    printGrants({ ...NAMES, cloud })
      .statements.split("\n")
      .filter((line) => /CLUSTER|KILL/.test(line));
  expect([added(false), added(true)]).toEqual([[], ["GRANT CLUSTER, KILL QUERY ON *.* TO `writer_1`;"]]);
  expect(printGrants({ ...NAMES, cloud: true }).logins).toMatch(
    /https:\/\/reader_1:[\w-]+@HOST:8443\/quarry/,
  );
});

it.each([
  [{ database: "a'b" }, /--database "a'b" is not a valid name/],
  [{ writer: "" }, /--writer "" is not a valid name/],
  [{ reader: "1st" }, /--reader "1st" is not a valid name/],
  [{ reader: "a`; DROP TABLE b" }, /is not a valid name/],
  [{ database: "System" }, /belongs to the server itself/],
  [{ database: "INFORMATION_SCHEMA" }, /belongs to the server itself/],
  [{ reader: "writer_1" }, /are both writer_1/],
])("refuses the names %j", (names, message) => {
  expect(() => printGrants({ ...NAMES, ...names })).toThrow(message);
});
