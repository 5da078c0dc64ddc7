import { z } from "zod";
import { text } from "../parameters/kinds/words.ts";
import { derived, InvalidParameter } from "../parameters/parameter.ts";
import { preview } from "../parameters/preview.ts";
import type { AsOf } from "./answer.ts";

/** The position at which the next page of an answer begins. */
type Position = Record<string, number>;

/** The parameter of tools whose answers have pages. */
export const CURSOR = derived(
  text("the cursor of an answer"),
  "cursor of an answer, for its next page; repeat the other parameters",
);

/** Encodes a position as an opaque string, which other tools reject. */
export function cursorOf(tool: string, position: Position): string {
  return Buffer.from(JSON.stringify([tool, position])).toString("base64url");
}

/** Maximum length of a cursor; longer ones are not decoded. */
const MAX_LENGTH = 500;

/** Decodes the position of a cursor that a client gave; null without one. @throws InvalidParameter */
export function positionOf<P extends Position>(tool: string, shape: z.ZodType<P>, given: unknown): P | null {
  if (given === undefined || given === null || given === "") return null;
  const parsed = z.tuple([z.literal(tool), z.unknown()]).safeParse(decoded(given));
  const position = shape.safeParse(parsed.data?.[1]);
  if (position.success) return position.data;
  throw new InvalidParameter("cursor", preview(given), `a cursor from an earlier answer of ${tool}`);
}

function decoded(given: unknown): unknown {
  if (typeof given !== "string" || given.length > MAX_LENGTH) return undefined;
  try {
    return JSON.parse(Buffer.from(given, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** A page of a list that later commits may reorder. */
export interface ListPage {
  /** Number of rows before the page. */
  offset: number;
  isFirst: boolean;
  /** Returns the field `note` if the page reflects another commit than the first one; otherwise nothing. */
  noteAt(asOf: AsOf | null): { note?: string };
  /** Returns the cursor of the page that begins after the first `kept` rows of this one. */
  cursorAfter(kept: number, asOf: AsOf | null): string;
}

const LIST_POSITION = z.strictObject({ offset: z.int().min(0), commit: z.int() });

/** Reads which page of a list a client asks for. @param rows what the rows are. @throws InvalidParameter */
export function listPage(tool: string, cursor: unknown, rows: string): ListPage {
  const start = positionOf(tool, LIST_POSITION, cursor);
  const offset = start?.offset ?? 0;
  return {
    offset,
    isFirst: start === null,
    noteAt: (asOf) =>
      start === null || start.commit === asOf?.commit ? {} : { note: movedNote(start.commit, rows) },
    cursorAfter: (kept, asOf) => cursorOf(tool, { offset: offset + kept, commit: asOf?.commit ?? 0 }),
  };
}

function movedNote(firstCommit: number, rows: string): string {
  return `The first page was as of commit ${firstCommit}: the order of the ${rows} may have changed since. To read all pages as of one commit, start again without a cursor.`;
}
