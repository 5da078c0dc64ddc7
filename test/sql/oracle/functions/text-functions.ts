import { synonyms } from "../synonyms.ts";
import {
  CONDITION,
  type Compiled,
  constant,
  derived,
  TEXT,
  type Type,
  type Value,
  WHOLE,
} from "../values/types.ts";
import { argument, at, type BuildFunction, numberAt } from "./arguments.ts";

const whole = (count: number) => BigInt(count);

/** Builds a function that takes only text. */
const ofTexts =
  (type: Type, count: number, compute: (...texts: string[]) => Value): BuildFunction =>
  (list) => {
    const texts = Array.from({ length: count }, (_, i) => at(list, i, "text"));
    return derived(type, texts, (...values) => compute(...values.map(String)));
  };

/** Builds a function of the characters of a string and of counts. Negative counts become 0. */
const ofCharacters =
  (compute: (characters: string[], ...counts: number[]) => string[]): BuildFunction =>
  (list) => {
    const counts = list.slice(1).map((_, i) => numberAt(list, i + 1));
    return derived(TEXT, [at(list, 0, "text"), ...counts], (text, ...values) => {
      const clamped = values.map((value) => Math.max(Math.trunc(Number(value)), 0));
      return compute([...String(text)], ...clamped).join("");
    });
  };

function concat(list: readonly Compiled[]): Compiled {
  const texts = list.map((_, i) => at(list, i, "text"));
  return { type: TEXT, value: (scope) => texts.map((text) => text.value(scope) ?? "").join("") };
}

function length(list: readonly Compiled[]): Compiled {
  const of = argument(list, 0);
  if (of.type.kind === "bytes") return derived(WHOLE, [of], (value) => whole(String(value).length / 2 - 1));
  return derived(WHOLE, [at(list, 0, "text")], (value) => whole([...String(value)].length));
}

/**
 * Returns the position of the first `part` in a string at or after `start`. Both are counted from 1. Returns
 * 0 if there is none.
 */
function position(part: string, source: string, start: number): number {
  const [wanted, characters] = [[...part], [...source]];
  for (let i = start - 1; i + wanted.length <= characters.length; i++) {
    if (wanted.every((character, j) => characters[i + j] === character)) return i + 1;
  }
  return 0;
}

/** Maximum length of a part to search for in a string, in bytes. For a longer part, the result is null. */
const LONGEST_PART = 256;
const isLong = (part: string) => Buffer.byteLength(part) > LONGEST_PART;

function locate(list: readonly Compiled[]): Compiled {
  const start = list.slice(2).map((_, i) => numberAt(list, i + 2));
  return derived(WHOLE, [at(list, 0, "text"), at(list, 1, "text"), ...start], (part, text, from) =>
    isLong(String(part)) ? null : whole(position(String(part), String(text), Math.max(Number(from ?? 1), 1))),
  );
}

/** Maximum length of a repeated string, in bytes. For a longer one, the result is null. */
const LONGEST_REPEATED = 1_000_000;

function repeated(part: Compiled, count: Compiled): Compiled {
  return derived(TEXT, [part, count], (value, count) => {
    const [text, times] = [String(value), Math.max(Number(count), 0)];
    if (text === "") return text;
    return Buffer.byteLength(text) * times > LONGEST_REPEATED ? null : text.repeat(times);
  });
}

function insert(list: readonly Compiled[]): Compiled {
  const parts = [at(list, 0, "text"), numberAt(list, 1), numberAt(list, 2), at(list, 3, "text")];
  return derived(TEXT, parts, (text, start, length, replacement) => {
    const [characters, from] = [[...String(text)], Math.max(Number(start), 1) - 1];
    const rest = characters.slice(from + Math.max(Number(length), 0));
    return [...characters.slice(0, from), replacement, ...rest].join("");
  });
}

function character(list: readonly Compiled[]): Compiled {
  return derived(TEXT, [numberAt(list, 0)], (code) =>
    Number(code) >= 0 && Number(code) < 256 ? String.fromCharCode(Number(code)) : null,
  );
}

const last = (characters: string[], count: number) => (count === 0 ? [] : characters.slice(-count));

export const textFunctions: Record<string, BuildFunction> = {
  ASCII: ofTexts(WHOLE, 1, (text = "") => whole(Buffer.from(text)[0] ?? 0)),
  BIT_LENGTH: ofTexts(WHOLE, 1, (text = "") => whole(8 * Buffer.byteLength(text))),
  CHAR: character,
  CONCAT: concat,
  ENDS_WITH: ofTexts(CONDITION, 2, (text = "", end = "") => text.endsWith(end)),
  INSERT: insert,
  ...synonyms(
    "LCASE LOWER",
    ofTexts(TEXT, 1, (text = "") => text.toLowerCase()),
  ),
  LEFT: ofCharacters((characters, count = 0) => characters.slice(0, count)),
  ...synonyms("LENGTH CHAR_LENGTH CHARACTER_LENGTH", length),
  ...synonyms("LOCATE POSITION", locate),
  LTRIM: ofTexts(TEXT, 1, (text = "") => text.replace(/^ +/, "")),
  OCTET_LENGTH: ofTexts(WHOLE, 1, (text = "") => whole(Buffer.byteLength(text))),
  REPEAT: (list) => repeated(at(list, 0, "text"), numberAt(list, 1)),
  REPLACE: ofTexts(TEXT, 3, (text = "", part = "", replacement = "") => {
    if (isLong(part)) return null;
    return part === "" ? text : text.split(part).join(replacement);
  }),
  REVERSE: ofCharacters((characters) => characters.toReversed()),
  RIGHT: ofCharacters((characters, count = 0) => last(characters, count)),
  RTRIM: ofTexts(TEXT, 1, (text = "") => text.replace(/ +$/, "")),
  SPACE: (list) => repeated(constant(TEXT, " "), numberAt(list, 0)),
  STARTS_WITH: ofTexts(CONDITION, 2, (text = "", start = "") => text.startsWith(start)),
  ...synonyms(
    "SUBSTRING SUBSTR",
    ofCharacters((characters, start = 1, count = characters.length) => {
      const from = Math.max(start, 1) - 1;
      return characters.slice(from, from + count);
    }),
  ),
  TRIM: ofTexts(TEXT, 1, (text = "") => text.replace(/^ +| +$/g, "")),
  ...synonyms(
    "UCASE UPPER",
    ofTexts(TEXT, 1, (text = "") => text.toUpperCase()),
  ),
};
