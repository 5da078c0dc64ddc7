import { expect, it } from "vitest";
import { listOf, sqlText, table } from "./sql.ts";

it("quotes user input, so that it is a string literal", () => {
  const typed = "x' OR '1' = '1";
  expect(sqlText`SELECT * FROM ${table("eth", "logs")} WHERE address = ${typed} LIMIT ${5}`.sql).toBe(
    `SELECT * FROM "eth_logs" WHERE address = 'x'' OR ''1'' = ''1' LIMIT 5`,
  );
  expect(listOf(["a'", 2]).sql).toBe("'a''', 2");
  expect(table('eth" UNION', "logs").sql).toBe('"eth"" UNION_logs"');
});
