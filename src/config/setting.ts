import { z } from "zod";

/** Headings of the help, in order. */
export const SETTING_GROUPS = [
  "Chain and endpoints",
  "Indexing",
  "Storage",
  "Service",
  "Service to query",
  "Demo market",
  "Query limits",
  "Client limits",
  "Webhooks",
  "General",
] as const;

type SettingGroup = (typeof SETTING_GROUPS)[number];

/**
 * A setting. It is given by a flag, an environment variable (`QUARRY_` and the name, except for a variable
 * that other programs also use) or the configuration file.
 */
export interface Setting<S extends z.ZodType = z.ZodType> {
  group: SettingGroup;
  /** Flag as commander reads it, e.g. `--port <number>`. */
  flag: string;
  /** Name of the environment variable. */
  env: string;
  schema: S;
  doc: string;
  /** The kind of value that shell completion suggests, if the schema does not determine it. */
  completes?: "directory" | "chain";
  /** True if a value may contain a key or a password; messages then omit it. */
  isSecret?: boolean;
}

export function setting<S extends z.ZodType>(declared: Setting<S>): Setting<S> {
  return declared;
}

/**
 * Accepts a number, or its digits as text. Refuses an empty string, null, true and lists, which Number() may
 * turn into a number.
 */
export const numeric = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value), schema);
export const integerFrom = (min: number, max: number) => z.number().int().min(min).max(max);
/** Accepts a comma-separated list; ignores a trailing comma. */
export const commaListOf = (part: z.ZodString) =>
  z.preprocess(
    (value) =>
      typeof value === "string"
        ? value
            .replace(/,\s*$/, "")
            .split(",")
            .map((one) => one.trim())
        : value,
    z.array(part).min(1),
  );
export const commaList = commaListOf(z.string().min(1));
export const yesNo = z.preprocess(
  (value) => (typeof value === "string" ? { true: true, "1": true, false: false, "0": false }[value] : value),
  z.boolean(),
);
