import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageFolder } from "../../lib/package-folder.ts";

/** The pages of the documentation that agents can read. */
export const DOCUMENTS = [
  { file: "sql.md", title: "SQL: the dialect, its functions and examples" },
  { file: "prices.md", title: "Prices: how trades are priced, and the rule for outliers" },
] as const;

const SCHEME = "quarry://docs/";

export const uriOf = (file: string): string => `${SCHEME}${file}`;

/** Reads the text of a page; null if there is none at the URI. */
export async function readDocument(uri: string): Promise<string | null> {
  const document = DOCUMENTS.find(({ file }) => uriOf(file) === uri);
  return document === undefined ? null : readFile(join(packageFolder(), "docs", document.file), "utf8");
}
