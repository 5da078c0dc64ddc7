import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

type Value = string | number | boolean;

/** The general types of the defaults, e.g. `number` for 7. */
type Sizes<T> = {
  [Name in keyof T]: T[Name] extends number ? number : T[Name] extends boolean ? boolean : string;
};

/**
 * Returns the sizes of a run: the defaults or, with --smoke, the sizes of a run that takes seconds. Each size
 * has a flag with its name, e.g. --commit-delay-ms 5 for `commitDelayMs`. With --smoke, `data` is a folder
 * that is deleted after the run.
 */
export function benchOptions<T extends Record<string, Value>>(
  defaults: T,
  smoke: Partial<Sizes<T>>,
): Sizes<T> {
  const flags = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === "boolean" ? ("boolean" as const) : ("string" as const);
    return [flagOf(name), { type }] as const;
  });
  const described = { ...Object.fromEntries(flags), smoke: { type: "boolean" as const } };
  const values: Record<string, string | boolean | undefined> = parseArgs({ options: described }).values;
  const sizes: Record<string, Value> = values.smoke === true ? { ...defaults, ...smoke } : defaults;
  const given = Object.entries(sizes).map(([name, value]) => [
    name,
    parsed(values[flagOf(name)], value, flagOf(name)),
  ]);
  const options = Object.fromEntries(given);
  if (values.smoke === true && "data" in defaults) options.data = temporaryData();
  return options;
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parsed(text: string | boolean | undefined, value: Value, flag: string): Value {
  if (text === undefined) return value;
  if (typeof value !== "number") return text;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new RangeError(`--${flag}: "${text}" is no number`);
  return number;
}

function temporaryData(): string {
  const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
