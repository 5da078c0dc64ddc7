import { z } from "zod";
import { scopeOf } from "../../../chains/chain.ts";
import { queryableColumns } from "../../../reads/records/queryable-columns.ts";
import { topRecordsInMemory } from "../../../reads/records/records-in-memory.ts";
import { readTopRecords, type TopRecordsQuery } from "../../../reads/records/top-records.ts";
import { collectSnapshot, readableChain } from "../../../reads/snapshot/snapshot.ts";
import { valueKindOf } from "../../../reads/values/column-values.ts";
import { integer } from "../../../reads/values/number-values.ts";
import type { CanonicalValue } from "../../../reads/values/value-kind.ts";
import type { Column } from "../../../schema/column.ts";
import { requireKept } from "../../../schema/scope.ts";
import type { Table } from "../../../schema/table.ts";
import { type TableName, tableOf } from "../../../schema/tables.ts";
import { JsonText } from "../../answers/json-text.ts";
import { type BufferedAnswer, bufferAnswer } from "../../answers/unread/buffered-answer.ts";
import { type Endpoint, endpoint } from "../../endpoint/endpoint.ts";
import { faultyItem, valueList } from "../../parameters/kinds/lists.ts";
import { choice, columnName } from "../../parameters/kinds/words.ts";
import { InvalidParameter, optional, type Parameter, required } from "../../parameters/parameter.ts";
import { chainParameter, excludeWashParameter } from "../../parameters/shared-parameters.ts";
import { exampleRecord, recordShape } from "./record-shape.ts";

/** The tables by their path, each with the column that its example groups by. */
const TABLES_BY_PATH: Record<string, { table: TableName; exampleColumn: string }> = {
  transactions: { table: "transactions", exampleColumn: "to_address" },
  blocks: { table: "blocks", exampleColumn: "miner" },
  logs: { table: "logs", exampleColumn: "address" },
  erc20: { table: "erc20", exampleColumn: "token_address" },
  erc721: { table: "erc721", exampleColumn: "token_address" },
  "dex-trades": { table: "dex_trades", exampleColumn: "token_address" },
  "token-balances": { table: "token_balances", exampleColumn: "token_address" },
};

/** Maximum number of values: a JSON body with this many addresses takes 450 KB. */
const MAX_VALUES = 10_000;

const MAX_SIZE = 10_000;

/**
 * Maximum number of records in all groups together: about 100 MB of JSON, which the service buffers on disk
 * before sending it.
 */
const MAX_RECORDS = 100_000;

/** The limit in docs/interface.md; longer lists of values need a body. */
const MAX_URL_LENGTH = 2048;

/** The endpoints for the first records of each group, one for each table. */
export const topRecords: readonly Endpoint[] = Object.entries(TABLES_BY_PATH).map(
  ([path, { table, exampleColumn }]) => topRecordsEndpoint(path, table, exampleColumn),
);

function topRecordsEndpoint(path: string, name: TableName, exampleColumn: string): Endpoint {
  const table = tableOf(name);
  const columns = queryableColumns(table);
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
        valueList(MAX_VALUES),
        "values of the groupby column to look up; each is a key of the response, exactly as sent",
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
        `maximum number of records per group; at most ${MAX_RECORDS} across all groups`,
      ),
      chain: chainParameter(),
      ...washOption(table),
    },
    answer: z.record(z.string(), z.array(recordShape(table))),
    example: {
      parameters: { groupby: exampleColumn, eq: [value], size: 1 },
      answer: { [value]: [record] },
    },
    cost: "read",
    question(
      { groupby, eq, sortby, order, size, chain, exclude_wash: excludeWash = false },
      { reader, limits: apiLimits, client },
    ) {
      requireKept(chain, scopeOf(readableChain(reader, chain).chain), name);
      const groups = groupsOf(eq, groupby, table.columns[groupby]);
      requireSize(size, groups.length);
      const query = { table: name, groupBy: groupby, groups, sortBy: sortby, order, size, excludeWash };
      return {
        chain,
        fromMemory: (memory) => new JsonText(topRecordsInMemory(memory, query)),
        fromEngine: (reader, limits) =>
          collectSnapshot<BufferedAnswer>(reader, {
            chain,
            limits,
            pieces: (snapshot) => readTopRecords(snapshot, query),
            collect: (json) => bufferAnswer(json, apiLimits, client()),
          }),
      };
    },
  });
}

/** Returns the parameter `exclude_wash` if the table's records may have a wash verdict, otherwise nothing. */
function washOption({ verdicts = {} }: Table): { exclude_wash?: Parameter<boolean> } {
  return "wash_reason" in verdicts ? { exclude_wash: excludeWashParameter("the records") } : {};
}

/** Returns a path in the form that it has in operation names: `DexTrades` for `dex-trades`. */
function operationWord(path: string): string {
  return path.replaceAll(/(?:^|-)([a-z])/g, (_, first: string) => first.toUpperCase());
}

/**
 * Makes a group for each distinct string or number, even if several denote the same value, such as addresses
 * in different letter case.
 */
function groupsOf(
  given: readonly (string | number)[],
  groupby: string,
  column: Column | undefined,
): TopRecordsQuery["groups"] {
  if (column === undefined) return [];
  const kind = valueKindOf(column);
  const groups = given.map((one, i): [string, CanonicalValue] => {
    const value = kind.parse(one);
    if (value !== undefined) return [String(one), value];
    throw new InvalidParameter(
      "eq",
      faultyItem({ item: one, index: i }, given.length),
      kind.allowed(one),
      `for groupby=${groupby}`,
    );
  });
  return Array.from(new Map(groups), ([key, value]) => ({ key, value }));
}

function requireSize(size: number, groups: number): void {
  if (groups * size <= MAX_RECORDS) return;
  const allowed = `an integer from 1 to ${Math.floor(MAX_RECORDS / groups)}`;
  throw new InvalidParameter("size", String(size), allowed, `for ${groups} values of eq`);
}
