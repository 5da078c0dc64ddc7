import { describe, expect, it } from "vitest";
import { hasRunningTest } from "./named-tests.ts";

/**
 * Where a rule comes from: the interface's own words, or what Quarry decides where the interface is silent.
 */
type Origin = "interface" | "decided";

/** The section whose rules are about every path. */
export const FRESHNESS = "Freshness";

export interface Rule {
  section: string;
  /** Name of the file in this folder. */
  file: string;
  text: string;
  origin: Origin;
  /** The unit test that proves it, where that needs data that this suite's market does not have. */
  elsewhere?: { file: string; title: string };
}

/** Every rule that has a test, in the order of the suite. */
export const RULES: Rule[] = [];

let current = { section: "", file: "" };

/** The rules of one section of the interface, in the file of that URL. */
export function section(title: string, url: string, rules: () => void): void {
  describe(title, () => {
    current = { section: title, file: url.slice(url.lastIndexOf("/") + 1) };
    rules();
  });
}

/** A rule of the interface, quoted, and its test. */
export function rule(text: string, test: () => Promise<void>): void {
  add({ text, origin: "interface" });
  it(text, test);
}

/** A rule where the interface leaves something open, and its test. */
export function decided(text: string, test: () => Promise<void>): void {
  add({ text, origin: "decided" });
  it(text, test);
}

/**
 * A rule of the interface that a unit test proves. Here the unit test must exist and not be skippable; that
 * it passed, scripts/test-report.mjs checks in CI.
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
