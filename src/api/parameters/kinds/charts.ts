import { DAY_SECONDS, MINUTE_SECONDS } from "../../../lib/seconds.ts";
import type { Resolution } from "../../../reads/bars/resolution.ts";
import type { ChartSymbol } from "../../../reads/symbols/symbols.ts";
import { ADDRESS, POOL } from "../../../reads/values/hex-values.ts";
import { integer } from "../../../reads/values/number-values.ts";
import type { DescribedKind } from "../../../reads/values/value-kind.ts";
import type { ParameterKind } from "../parameter.ts";
import { CHAIN, oneOf } from "./words.ts";

const SYMBOL = new RegExp(`^([A-Za-z0-9]+):(${ADDRESS.pattern})(?:@(${POOL.pattern}))?$`, "i");

/** A chart's symbol, `chain:token` or `chain:token@pool`, in any letter case. */
export const CHART_SYMBOL: ParameterKind<ChartSymbol> = {
  allowed: (_given, { chains }) =>
    `<chain>:<token address>, or <chain>:<token address>@<pool>, with a configured chain (${chains.join(", ")}); /udf/symbols returns it for other names`,
  parse(given, { chains }) {
    const [, chain = "", token, pool] = (typeof given === "string" && SYMBOL.exec(given.trim())) || [];
    const name = chain.toLowerCase();
    const address = ADDRESS.parse(token);
    if (address === undefined || !chains.includes(name)) return undefined;
    return { chain: name, token: address, pool: POOL.parse(pool) ?? "all" };
  },
  schema: { type: "string", pattern: SYMBOL.source },
};

/** Prints a symbol as text. */
export function printSymbol({ chain, token, pool }: ChartSymbol): string {
  return `${chain}:${token}${pool === "all" ? "" : `@${pool}`}`;
}

const RESOLUTION = /^([1-9][0-9]{0,5})?([SDWM])?$/;

/** The units of chart resolutions: each is `of` units of `Resolution`; `max` is the highest count. */
const UNITS = {
  S: { unit: "seconds", of: 1, max: DAY_SECONDS },
  "": { unit: "seconds", of: MINUTE_SECONDS, max: (365 * DAY_SECONDS) / MINUTE_SECONDS },
  D: { unit: "seconds", of: DAY_SECONDS, max: 365 },
  W: { unit: "weeks", of: 1, max: 52 },
  M: { unit: "months", of: 1, max: 12 },
} as const;

/**
 * The length of a chart's bars as TradingView writes it: `5` means five minutes; `1S`, `1D`, `1W` and `1M`
 * name their units.
 */
export const RESOLUTION_KIND: DescribedKind<Resolution> = {
  allowed: () =>
    "a number of minutes from 1 to 525600, or a number and a unit: S (seconds, up to 86400), D (days, up to 365), W (weeks, up to 52) or M (months, up to 12)",
  parse(given) {
    const [text, number, letter = ""] = RESOLUTION.exec(String(given).trim()) ?? [];
    if (text === undefined || text === "") return undefined;
    const { unit, of, max } = UNITS[letter as keyof typeof UNITS];
    const count = Number(number ?? 1);
    return count <= max ? { unit, count: count * of } : undefined;
  },
  schema: { type: "string", pattern: "^([1-9][0-9]{0,5}[SDWM]?|[SDWM])$" },
};

/** A time in a chart, in unix seconds. Charts also request times before 1970. */
export const CHART_TIME: DescribedKind<number> = {
  ...integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  allowed: () => "a time in unix seconds, an integer",
};

/**
 * Makes a kind for one of a few words in any letter case. Charts send empty text if no word is given; it
 * means `all`.
 */
export function choiceOrAll<const W extends string>(words: readonly W[]): DescribedKind<W | "all"> {
  return {
    allowed: () => `${oneOf([...words, "all"])}, or an empty value`,
    parse(given) {
      const word = typeof given === "string" ? given.trim().toLowerCase() : undefined;
      return word === "" || word === "all" ? "all" : words.find((one) => one === word);
    },
    schema: { type: "string", enum: ["", "all", ...words] },
  };
}

/** A chain in any letter case. Empty text means `all`. */
export const CHAIN_OR_ALL: ParameterKind<string> = {
  ...CHAIN,
  allowed: (given, context) => `all, an empty value, or ${CHAIN.allowed(given, context)}`,
  parse(given, context) {
    const isAll = typeof given === "string" && /^\s*(all)?\s*$/i.test(given);
    return isAll ? "all" : CHAIN.parse(given, context);
  },
};
