import {
  type AnswerRow,
  type Interpretation,
  interpretation,
  type TableSource,
} from "../oracle/interpret.ts";
import { isLike } from "../oracle/values/answers.ts";
import { fixtureContext } from "./query-engine.ts";
import { FIXTURE_NOW, fixtureRows } from "./query-fixture.ts";

/** The rows of the fixture. All of them are on the chain `eth`. */
export const fixtureSource: TableSource = {
  rows: (chain, table) => (chain === "eth" ? fixtureRows(table) : []),
  chains: fixtureContext.chains,
  now: FIXTURE_NOW,
};

/**
 * Returns the first difference between an answer and the interpreter's answer to the query, or null if there
 * is none.
 */
export function differenceFromInterpreter(
  query: string,
  lines: readonly string[],
  source: TableSource = fixtureSource,
): string | null {
  const rows = lines.map((line) => JSON.parse(line) as AnswerRow);
  const expected = interpretation(query, source);
  if (expected.isVague) return null;
  return countDifference(rows, expected) ?? rowDifference(rows, expected);
}

function countDifference(rows: readonly AnswerRow[], { ties, offset, limit }: Interpretation): string | null {
  const count = Math.max(0, Math.min(ties.flat().length - offset, limit));
  return rows.length === count ? null : `${rows.length} rows instead of ${count}`;
}

/**
 * Returns the first row that differs from the interpreter's, as text; null if there is none. If rows are
 * equal for ORDER BY, LIMIT may keep any of them.
 */
function rowDifference(
  rows: readonly AnswerRow[],
  { ties, offset, distances }: Interpretation,
): string | null {
  let from = -offset;
  for (const tie of ties) {
    const given = rows.slice(Math.max(0, from), Math.max(0, from + tie.length));
    const left = [...tie];
    for (const row of given) {
      const match = left.findIndex((other) => isLikeRow(row, other, distances));
      if (match < 0) return `${JSON.stringify(row)} instead of one of ${JSON.stringify(left)}`;
      left.splice(match, 1);
    }
    from += tie.length;
  }
  return null;
}

function isLikeRow(row: AnswerRow, other: AnswerRow, distances: ReadonlyMap<string, number>): boolean {
  const names = Object.keys(other);
  const sameNames = Object.keys(row).join("\n") === names.join("\n");
  return sameNames && names.every((name) => isLike(row[name], other[name], distances.get(name) ?? 0));
}
