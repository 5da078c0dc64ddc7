import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { toEventSelector } from "viem";
import { describe, expect, it } from "vitest";
import { FAMILIES } from "../../src/decode/pools/swap-families.ts";
import { POOL_FAMILY_NAMES, type PoolFamily } from "../../src/schema/pool-families.ts";
import { KNOWN_CHAINS } from "../support/nodes/known-chains.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/protocols.md");
const SWAPS = "src/decode/swaps";
const SIGNATURE = /`([A-Za-z_]+\([\w,()[\]\s]*\))`/g;
/** Matches events with which pools change or report their tokens without a swap. */
const STATE_EVENT = /^(Sync|Mint|Burn|Collect)\(/;

/** A section of the page about a family. */
interface Section {
  title: string;
  text: string;
}

const page = readFileSync(PAGE, "utf8");
const sections = new Map(
  page.split(/^## /m).flatMap((part): [string, Section][] => {
    const [title = "", ...lines] = part.split("\n");
    const text = lines.join("\n");
    const family = /^- Family: `([\w-]+)`/m.exec(text)?.[1];
    return family === undefined ? [] : [[family, { title, text }]];
  }),
);

/** Returns the protocols of a family by chain as text: "eth: `uniswap_v2`, `sushiswap_v2`; …". */
function protocolsOf(family: PoolFamily): string {
  const lists = KNOWN_CHAINS.map(({ name, deployments }) => {
    const protocols = deployments.filter((one) => one.family === family).map(({ protocol }) => protocol);
    return [name, [...new Set(protocols)].sort()] as const;
  });
  return lists
    .filter(([, protocols]) => protocols.length > 0)
    .map(([name, protocols]) => `${name}: ${protocols.map((one) => `\`${one}\``).join(", ")}`)
    .join("; ");
}

/** Returns the path of the test for the file that declares a family. Expects it to exist. */
function testOf(family: PoolFamily): string {
  const files = readdirSync(join(ROOT, SWAPS), { recursive: true, encoding: "utf8" });
  const file = files.find(
    (name) =>
      name.endsWith(".ts") &&
      !name.endsWith(".test.ts") &&
      readFileSync(join(ROOT, SWAPS, name), "utf8").includes(`family: "${family}"`),
  );
  const test = join(SWAPS, (file ?? "").replace(".ts", ".test.ts"));
  expect(existsSync(join(ROOT, test))).toBe(true);
  return test.replaceAll(sep, "/");
}

/**
 * Returns the first words of the section's line about proof, such as `address` or `announcement or
 * confirmation`.
 */
function proofOf(family: PoolFamily): string {
  const [, proof] = /^- Proof: ([a-z]+(?:(?:, | or )[a-z]+)*)/m.exec(sections.get(family)?.text ?? "") ?? [];
  return proof ?? expect.fail(`docs/protocols.md gives no proof for ${family}`);
}

/** Returns the names of the events that report swaps. */
function swapEventsOf(family: PoolFamily): string {
  const events = FAMILIES[family].events.map(({ topic }) => topic);
  const quoted = [...(sections.get(family)?.text ?? "").matchAll(SIGNATURE)].map(([, text = ""]) => text);
  const swaps = quoted.filter(
    (text) => events.includes(toEventSelector(text.replaceAll(/\s/g, ""))) && !STATE_EVENT.test(text),
  );
  const names = [...new Set(swaps.map((text) => text.slice(0, text.indexOf("("))))];
  return names.length === 0 ? "without a topic" : names.map((name) => `\`${name}\``).join(", ");
}

function familiesTable(): string {
  const rows = POOL_FAMILY_NAMES.map((family) => {
    const title = sections.get(family)?.title ?? "";
    const anchor = title.toLowerCase().replaceAll(" ", "-");
    const cells = [`[${title}](#${anchor})`, protocolsOf(family), swapEventsOf(family), proofOf(family)];
    return `| ${[...cells, `[test](../${testOf(family)})`].join(" | ")} |`;
  });
  const heads = ["family", "chains and forks", "swap events", "proof", "test"];
  return [`| ${heads.join(" | ")} |`, `|${"---|".repeat(heads.length)}`, ...rows].join("\n");
}

/** Returns the topics of the signatures that are quoted in a section. */
function topicsIn(text: string): Set<string> {
  const quoted = [...text.matchAll(SIGNATURE)];
  return new Set(quoted.map(([, signature = ""]) => toEventSelector(signature.replaceAll(/\s/g, ""))));
}

describe("docs/protocols.md", () => {
  it("lists the families, their forks on each chain and their tests", async () => {
    const written = page.replace(
      /(<!-- families -->\n)[\s\S]*?(<!-- end -->)/,
      (_, head: string, end: string) => `${head}${familiesTable()}\n${end}`,
    );
    // After a change of a family or a chain, run `npx vitest run test/pages/protocols-page.test.ts -u` to
    // write the page.
    await expect(written).toMatchFileSnapshot(PAGE);
  });

  it.each(POOL_FAMILY_NAMES)("describes the events of %s", (family) => {
    const { events, creations } = FAMILIES[family];
    const topics = topicsIn(sections.get(family)?.text ?? "");
    expect([...events, ...creations].map(({ topic }) => topic).filter((topic) => !topics.has(topic))).toEqual(
      [],
    );
  });
});
