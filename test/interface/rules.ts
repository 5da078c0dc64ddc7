import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** Where a rule comes from: the interface's own words, or what Quarry decides where the interface is silent. */
type Origin = "interface" | "decided";

export interface Rule {
  section: string;
  text: string;
  origin: Origin;
  /** The unit test that holds it, where that needs data that this suite's market does not have. */
  elsewhere?: { file: string; title: string };
}

/** Every rule that has a test, in the order of the suite. */
export const RULES: Rule[] = [];

let current = "";

/** The rules of one section of the interface. */
export function section(title: string, rules: () => void): void {
  describe(title, () => {
    current = title;
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

/** A rule of the interface that a unit test holds: that it is there. */
export function heldBy(file: string, title: string, text: string): void {
  add({ text, origin: "interface", elsewhere: { file, title } });
  it(text, () => {
    expect(readFileSync(join(import.meta.dirname, "../..", file), "utf8")).toContain(`it("${title}"`);
  });
}

function add(rule: Omit<Rule, "section">): void {
  const { text } = rule;
  expect(RULES.filter((one) => one.section === current && one.text === text)).toEqual([]);
  RULES.push({ section: current, ...rule });
}
