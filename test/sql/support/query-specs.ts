import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One query of a `.spec` file:
 *
 *     # title
 *     SELECT …
 *     > {"a": 1}          expected rows, one per line (in any order without ORDER BY); `> none` for no rows
 *     = SELECT …          or engine SQL whose rows are expected
 *     ! line 1:8: …       or the message of the error
 */
export interface QuerySpec {
  name: string;
  query: string;
  rows: string[] | null;
  engineQuery: string | null;
  error: string | null;
}

export function readQuerySpecs(folder: string): { file: string; specs: QuerySpec[] }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".spec"))
    .map((file) => ({ file, specs: parseSpecs(readFileSync(join(folder, file), "utf8")) }));
}

function parseSpecs(source: string): QuerySpec[] {
  return source
    .split(/^(?=# )/m)
    .filter((block) => block.startsWith("# "))
    .map(parseSpec);
}

function parseSpec(block: string): QuerySpec {
  const lines = block.trimEnd().split("\n");
  const marked = (mark: string) =>
    lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2));
  const query = lines.slice(1).filter((line) => !/^[>=!] /.test(line));
  const rows = marked(">").filter((row) => row !== "none");
  return {
    name: lines[0]?.slice(2) ?? "",
    query: query.join("\n").trimEnd(),
    rows: marked(">").length > 0 ? rows : null,
    engineQuery: marked("=").join(" ") || null,
    error: marked("!").join("") || null,
  };
}
