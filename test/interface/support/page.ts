import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FRESHNESS, RULES, type Rule } from "./rules.ts";
import { the } from "./service.ts";

const PAGE = join(import.meta.dirname, "../../../docs/interface.md");
const MARKED = /(<!-- rules -->\n)[\s\S]*(<!-- end of rules -->)/;

/** Matches the sections that describe the parameters and response fields of each path. */
const SECTIONS: Record<string, RegExp> = {
  "/v1/sql": /^1\. /,
  "/v1/topk-api/": /^2\. /,
  "/v1/price/historical/ohlc": /^3\. /,
  "/v1/price/historical/tick": /^4\. /,
  "/v1/price-api/batch-all-time-ohlc": /^5\. /,
  "/v1/price-api/batch-latest-token-prices": /^6\. /,
  "/v1/price-api/batch-latest-price-change": /^7\. /,
  "/v1/market-api/batch-latest-pool-tvl": /^8\. /,
  "/v1/wallet-api/batch-latest-total-performance": /^9\. /,
  "/v1/wallet-api/latest-total-performance": /^(9|10)\. /,
  "/v1/wallet-api/latest-performance-per-token": /^(9|10)\. /,
  "/v1/screener": /^Screener/,
  "/v1/rpc": /^((3|9|10)\. |Errors)/,
};

/** Paths of Quarry that do not belong to the interface. */
const OWN_PATHS = [
  "/v1/status",
  "/v1/operations",
  "/v1/check-usage",
  "/v1/sql/schema",
  "/v1/market-api/pool-tvl-history",
  "/v1/search",
  "/v1/stream",
];

/** Compares docs/interface.md, this suite and the OpenAPI document. */
export function pageTests(): void {
  describe("docs/interface.md", () => {
    it("lists every test, and no rule that has none", async () => {
      const page = readFileSync(PAGE, "utf8");
      expect(page).toMatch(MARKED);
      const wanted = page.replace(MARKED, (_, start, end) => `${start}\n${tables()}\n${end}`);
      // After a change of the suite, run `npx vitest run test/interface -u` to write the tables.
      await expect(wanted).toMatchFileSnapshot(PAGE);
      const [listed, tested] = [listedRules(wanted), RULES.map(nameOf)];
      expect({ untested: listed.filter((name) => !tested.includes(name)) }).toEqual({ untested: [] });
      expect({ unlisted: tested.filter((name) => !listed.includes(name)) }).toEqual({ unlisted: [] });
      expect(listed).toHaveLength(tested.length);
    });

    it("has a rule about every parameter and every field of every answer", () => {
      const paths = Object.keys(the().document.paths).filter((path) => path.startsWith("/v1/"));
      const unspoken = paths.filter((path) => !OWN_PATHS.includes(path)).flatMap(unspokenNames);
      expect(unspoken).toEqual([]);
    });
  });
}

const nameOf = ({ section, text }: Pick<Rule, "section" | "text">) => `${section}: ${text}`;

/** Escapes text for Markdown, except within code, where the escapes would be visible. */
const escaped = (text: string) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/[<*]/g, "\\$&")))
    .join("");
const unescaped = (text: string) => text.replace(/\\([<*])/g, "$1");

/** Writes a table for each section. */
function tables(): string {
  return [...bySection()]
    .map(([title, rules]) => {
      const { file = "" } = rules[0] ?? {};
      const head = `## ${title}\n\n[test/interface/${file}](../test/interface/${file})\n\n| rule | source |\n| --- | --- |\n`;
      return `${head}${rules.map((rule) => `| ${escaped(rule.text)} | ${noteOf(rule)} |\n`).join("")}`;
    })
    .join("\n");
}

function bySection(): Map<string, Rule[]> {
  const sections = new Map<string, Rule[]>();
  for (const rule of RULES) sections.set(rule.section, [...(sections.get(rule.section) ?? []), rule]);
  return sections;
}

function noteOf({ origin, elsewhere }: Rule): string {
  const proven = elsewhere && `proven by [${elsewhere.file}](../${elsewhere.file}): ${elsewhere.title}`;
  return [origin, proven ?? []].flat().join("; ");
}

/** Returns the names of the rules that a page lists. */
function listedRules(page: string): string[] {
  const [, , rest = ""] = page.split(/(<!-- rules -->|<!-- end of rules -->)/);
  return rest.split("\n## ").flatMap((part) => {
    const [section = "", ...lines] = part.replace(/^\s*## /, "").split("\n");
    return lines.flatMap((line) => {
      const [, text] = /^\| (.*) \| [^|]*\|$/.exec(line) ?? [];
      return text === undefined || /^(rule|---)$/.test(text)
        ? []
        : [nameOf({ section, text: unescaped(text) })];
    });
  });
}

/** Returns the parameters and fields of a path that no rule of its sections mentions. */
function unspokenNames(path: string): string[] {
  const start = Object.keys(SECTIONS).find(
    (one) => path.startsWith(one) && (one.endsWith("/") || one === path),
  );
  const section = start === undefined ? undefined : SECTIONS[start];
  if (section === undefined) return [`${path}: no section of the suite is about it`];
  const texts = RULES.filter(({ section: title }) => section.test(title) || title === FRESHNESS).map(
    ({ text }) => text,
  );
  return namesOf(path)
    .filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
    .map((name) => `${path}: ${name}`);
}

/**
 * Returns the names of a path's parameters and response fields. Excludes the fields of top records: they are
 * columns of tables, which the tables' own sections and docs/sql.md describe.
 */
function namesOf(path: string): string[] {
  const { document } = the();
  const answers = path.startsWith("/v1/topk-api/") ? [] : fieldsIn(answerSchema(path));
  const given = Object.values<{ parameters?: { name: string }[] }>(document.paths[path]).flatMap(
    ({ parameters = [] }) => parameters.map(({ name }) => name),
  );
  return [...new Set([...given, ...answers])];
}

function answerSchema(path: string): object {
  const [operation] = Object.values<{ responses: Record<string, { content: object }> }>(
    the().document.paths[path],
  );
  const [content] = Object.values(operation?.responses["200"]?.content ?? {});
  return resolved((content as { schema: object }).schema);
}

function resolved(schema: object): object {
  const reference = (schema as { $ref?: string }).$ref;
  return reference === undefined
    ? schema
    : the().document.components.schemas[reference.split("/").at(-1) ?? ""];
}

/** Returns the names of all properties in a schema. */
function fieldsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, part]) =>
    name === "properties" ? [...Object.keys(part), ...Object.values(part).flatMap(fieldsIn)] : fieldsIn(part),
  );
}
