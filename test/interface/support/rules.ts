import { describe, expect, it } from "vitest";
import { hasRunningTest } from "./named-tests.ts";

/**
 * The origin of a rule: quoted from the interface, or decided by Quarry because the interface does not
 * specify it.
 */
type Origin = "interface" | "decided";

/** The section whose rules apply to every path. */
export const FRESHNESS = "Freshness";

export interface Rule {
  section: string;
  /** Name of the file in this folder. */
  file: string;
  text: string;
  origin: Origin;
  /** The unit test that proves the rule, if it needs data that this suite's market does not have. */
  elsewhere?: { file: string; title: string };
}

/** Every rule that has a test, in the order of the suite. */
export const RULES: Rule[] = [];

let current = { section: "", file: "" };

/** Groups the rules of a section of the interface. `url` is the URL of the file with the rules. */
export function section(title: string, url: string, rules: () => void): void {
  describe(title, () => {
    current = { section: title, file: url.slice(url.lastIndexOf("/") + 1) };
    rules();
  });
}

/** Adds a rule that is quoted from the interface, and its test. */
export function rule(text: string, test: () => Promise<void>): void {
  add({ text, origin: "interface" });
  it(text, test);
}

/** Adds a rule for something that the interface leaves open, and its test. */
export function decided(text: string, test: () => Promise<void>): void {
  add({ text, origin: "decided" });
  it(text, test);
}

/**
 * Adds a rule of the interface that a unit test proves. Here, the unit test must exist and must not be
 * skippable. In CI, scripts/test-report.mjs checks that it passed.
 */
export function provenBy(file: string, title: string, text: string): void {
  add({ text, origin: "interface", elsewhere: { file, title } });
  it(text, () => {
    expect(hasRunningTest(file, title), `${file} has no test "${title}" that always runs`).toBe(true);
  });
}

function add(rule: Omit<Rule, "section" | "file">): void {
  const isThere = RULES.some(({ section, text }) => section === current.section && text === rule.text);
  if (isThere) throw new Error(`${current.section} has the rule twice: ${rule.text}`);
  RULES.push({ ...current, ...rule });
}
