import { createHash } from "node:crypto";
import { z } from "zod";

/**
 * Returns the text of a JSON document that ends with the SHA-256 of the rest, so a change to any byte is
 * detected.
 */
export function checkedJson(content: object): string {
  const sha256 = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return `${JSON.stringify({ ...content, sha256 }, null, 1)}\n`;
}

/**
 * Reads a document that `checkedJson` wrote, of any version. Its checksum is checked first, so that a damaged
 * version number is not mistaken for the number of another version.
 *
 * @returns null if any byte differs from what was written
 */
export function readCheckedJson(text: string): { version: number } | null {
  const read = checked.safeParse(parsedJson(text));
  if (!read.success) return null;
  const { sha256: _, ...content } = read.data;
  return checkedJson(content) === text ? content : null;
}

const checked = z.looseObject({ version: z.int(), sha256: z.string() });

/** Parses JSON; undefined if the text is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
