import { z } from "zod";
import {
  allowedValues,
  type CanonicalValue,
  type GivenValue,
  readValue,
} from "../../../reads/records/column-value.ts";
import { askableColumns } from "../../../reads/records/queryable-columns.ts";
import { readTopRecords, type TopRecordsQuestion } from "../../../reads/records/top-records.ts";
import { askInPieces } from "../../../reads/snapshot/snapshot.ts";
import type { Column } from "../../../schema/column.ts";
import { type TableName, tableOf } from "../../../schema/tables.ts";
import { queryLimits } from "../../admission/limits.ts";
import { spool } from "../../answers/buffered-answer.ts";
import { exampleRecord, recordShape } from "../../answers/record-shape.ts";
import { type Endpoint, endpoint } from "../../endpoint/endpoint.ts";
import { Refused } from "../../errors/errors.ts";
import { choice, columnName, integer, valueList } from "../../parameters/kinds.ts";
import { optional, required, shown } from "../../parameters/parameter.ts";
import { theChain } from "../../parameters/shared-parameters.ts";

/** The tables as this endpoint calls them, each with a column that an example groups it by. */
const TABLES_BY_PATH: Record<string, { table: TableName; exampleColumn: string }> = {
  transactions: { table: "transactions", exampleColumn: "to_address" },
  blocks: { table: "blocks", exampleColumn: "miner" },
  logs: { table: "logs", exampleColumn: "address" },
  erc20: { table: "erc20", exampleColumn: "token_address" },
  erc721: { table: "erc721", exampleColumn: "token_address" },
  "dex-trades": { table: "dex_trades", exampleColumn: "token_address" },
  "token-balances": { table: "token_balances", exampleColumn: "token_address" },
};

/** A body takes 450 KB for as many addresses. */
const MAX_VALUES = 10_000;

const MAX_SIZE = 10_000;

/** Of all groups together: some 100 MB of JSON, which the service writes to disk before it sends them. */
const MAX_RECORDS = 100_000;

/** What the interface allows; longer lists of values go into a body. */
const MAX_URL_LENGTH = 2048;

/** The first records of groups, an endpoint for each table. */
export const topRecords: readonly Endpoint[] = Object.entries(TABLES_BY_PATH).map(
  ([path, { table, exampleColumn }]) => topRecordsOf(path, table, exampleColumn),
);

function topRecordsOf(path: string, name: TableName, exampleColumn: string): Endpoint {
  const table = tableOf(name);
  const columns = askableColumns(table);
  const record = exampleRecord(table);
  const value = String(record[exampleColumn]);
  return endpoint({
    name: `getTopRecordsOf${operationWord(path)}`,
    methods: ["GET", "POST"],
    path: `/v1/topk-api/${path}`,
    maxUrlLength: MAX_URL_LENGTH,
    title: `Top ${path}`,
    summary: `Top records of each group. ${table.doc}`,
    parameters: {
      groupby: required(columnName(columns), "column to group by"),
      eq: required(
        valueList({ max: MAX_VALUES }),
        "values of groupby to return; each is a key of the response, exactly as sent",
      ),
      sortby: optional(columnName(columns), "timestamp", "column to sort by; nulls come last"),
      order: optional(
        choice(["desc", "asc"]),
        "desc",
        "desc: largest or newest first; asc: smallest or oldest first",
      ),
      size: optional(
        integer({ min: 1, max: MAX_SIZE }),
        1,
        `maximum number of records per group; at most ${MAX_RECORDS} over all groups`,
      ),
      chain: theChain(),
    },
    answer: z.record(z.string(), z.array(recordShape(table))),
    example: {
      parameters: { groupby: exampleColumn, eq: [value], size: 1 },
      answer: { [value]: [record] },
    },
    cost: "read",
    async handle({ groupby, eq, sortby, order, size, chain }, { reader, limits, signal }) {
      const groups = groupsOf(eq, { groupby, column: table.columns[groupby] });
      if (groups.length * size > MAX_RECORDS) throw new TooManyRecords(size, groups.length);
      const question = { table: name, groupBy: groupby, groups, sortBy: sortby, order, size };
      const { answer, asOf } = await askInPieces(reader, {
        chain,
        limits: queryLimits(limits, signal),
        pieces: (snapshot) => readTopRecords(snapshot, question),
        collect: (json) => spool(json, limits),
      });
      return { body: answer, asOf };
    },
  });
}

/** `dex-trades` is `DexTrades` in the names of operations. */
function operationWord(path: string): string {
  return path.replaceAll(/(?:^|-)([a-z])/g, (_, first: string) => first.toUpperCase());
}

/** Each distinct text or number is a group of its own, also where several mean one value, as mixed case does. */
function groupsOf(
  given: readonly GivenValue[],
  { groupby, column }: { groupby: string; column: Column | undefined },
): TopRecordsQuestion["groups"] {
  if (column === undefined) return [];
  const groups = given.map((one, i): [string, CanonicalValue] => {
    const value = readValue(column, one);
    if (value !== undefined) return [String(one), value];
    throw new WrongValue(`${shown(one)} (item ${i + 1} of ${given.length})`, {
      groupby,
      allowed: allowedValues(column, one),
    });
  });
  return Array.from(new Map(groups), ([key, value]) => ({ key, value }));
}

class WrongValue extends Refused {
  constructor(given: string, { groupby, allowed }: { groupby: string; allowed: string }) {
    super(400, `Invalid parameter eq: given is ${given}, allowed for groupby=${groupby} is ${allowed}.`);
  }
}

class TooManyRecords extends Refused {
  constructor(size: number, groups: number) {
    const most = Math.floor(MAX_RECORDS / groups);
    super(
      400,
      `Invalid parameter size: given is ${size}, allowed for ${groups} values of eq is an integer from 1 to ${most}.`,
    );
  }
}
