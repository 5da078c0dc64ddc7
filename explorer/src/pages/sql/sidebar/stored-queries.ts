import { StoredList } from "./stored-list.ts";

export interface SavedQuery {
  name: string;
  query: string;
}

export interface PastRun {
  query: string;
  /** Unix seconds. */
  at: number;
  /** Null if the run failed or was cancelled. */
  rows: number | null;
}

export const MAX_SAVED = 100;
const MAX_PAST = 50;

export const savedQueries = new StoredList<SavedQuery>({
  key: "quarry.sql.saved",
  maxItems: MAX_SAVED,
  isItem: (value): value is SavedQuery => isRecord(value) && isText(value.name) && isText(value.query),
  isSame: (a, b) => a.name === b.name,
});

export const pastRuns = new StoredList<PastRun>({
  key: "quarry.sql.history",
  maxItems: MAX_PAST,
  isItem: (value): value is PastRun =>
    isRecord(value) &&
    isText(value.query) &&
    typeof value.at === "number" &&
    (value.rows === null || typeof value.rows === "number"),
  isSame: (a, b) => a.query === b.query,
});

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
