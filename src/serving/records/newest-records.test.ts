import { describe, expect, it } from "vitest";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { EVERYTHING } from "../../schema/scope.ts";
import type { RowOf } from "../../schema/tables.ts";
import { groupsWith, NewestRecords, recordsKey } from "./newest-records.ts";

const ROOM = 200_000;
const [GROUP] = groupsWith("erc20", "to_address", 100);
const transfers = batchOf({ first: 1, last: 300, rowsPerTable: 4 }).rows.erc20 ?? [];

/** Returns records in which each recipient is known to have no transfers yet. */
function withKnown(recipients: readonly string[]): NewestRecords {
  const records = new NewestRecords(ROOM, EVERYTHING);
  const keys = recipients.map(keyOf);
  records.cache.startFill(keys).complete(new Map(), 0);
  return records;
}

const keyOf = (recipient: string) => (GROUP === undefined ? "" : recordsKey(GROUP, recipient));

describe("the newest records", () => {
  it("of a recipient are the last ones of the list's length, newest first", () => {
    const [first] = transfers;
    const rows = transfers.map(
      (row, i): RowOf<"erc20"> => ({
        ...row,
        to_address: first?.to_address ?? row.to_address,
        log_index: i,
      }),
    );
    const records = withKnown([first?.to_address ?? ""]);
    records.extend({ erc20: rows });
    const list = records.cache.get(keyOf(first?.to_address ?? ""));
    const indexes = list?.newest(100).map((json) => JSON.parse(json).log_index);
    expect(indexes).toEqual(Array.from({ length: 100 }, (_, i) => rows.length - 1 - i));
  });

  it("stay within their room while commits lengthen the lists", () => {
    const recipients = [...new Set(transfers.map((row) => row.to_address))];
    const records = withKnown(recipients);
    for (let round = 0; round < 20; round++) {
      records.extend({ erc20: transfers });
      expect(records.cache.use.bytes).toBeLessThanOrEqual(ROOM);
    }
    expect(records.cache.use.evictions).toBeGreaterThan(0);
    expect(records.cache.use.entries).toBeGreaterThan(0);
  });
});
