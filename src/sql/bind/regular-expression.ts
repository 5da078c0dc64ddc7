import { BaseError } from "../../lib/error.ts";
import type { PatternWork } from "../expressions/conditions.ts";
import {
  alternativesOf,
  anchorPart,
  type Counts,
  choicesOf,
  dotPart,
  lettersPart,
  type Part,
  repeated,
  STEPS_OF_DOT,
  sequenceOf,
  setPart,
} from "./pattern-parts.ts";

/**
 * Translates a pattern of RLIKE. The syntax is limited to constructs that have the same meaning in Java,
 * Lucene and RE2. The pattern is parsed and printed again, so the engine's parser sees only what this parser
 * understands.
 *
 * @param isStored true if the pattern is matched against stored strings, false if functions compute the
 * strings
 */
export function translatePattern(pattern: string, isStored: boolean): TranslatedPattern {
  if (pattern.length > LONGEST) throw new PatternError(`it is longer than ${LONGEST} characters`);
  const reader: Reader = { chars: [...pattern], at: 0, depth: 0, isStored };
  const whole = readAlternation(reader);
  if (reader.at < reader.chars.length) fail(reader, 'this ")" closes nothing; write \\) for a parenthesis');
  if (whole.size > LARGEST) throw new PatternError(TOO_LARGE);
  return { text: whole.text, size: whole.size, work: { steps: whole.live, choices: choicesOf(whole) } };
}

export interface TranslatedPattern {
  /** The pattern for the engine. */
  text: string;
  /** Number of steps with all repetitions written out. */
  size: number;
  work: PatternWork;
}

export class PatternError extends BaseError {
  constructor(problem: string) {
    super("bad-input", problem);
  }
}

/** Maximum length of a pattern, far more than people write. */
const LONGEST = 1_000;
const DEEPEST = 30;
/** Maximum number of repetitions; the engine rejects more. Nested repetitions multiply. */
const MOST_REPEATS = 1_000;
/**
 * Maximum number of steps in a pattern with all repetitions written out; the engine accepts thirty times as
 * many.
 */
const LARGEST = 10_000;
const TOO_LARGE = "its repetitions make it too large; use * or + where the count does not matter";

interface Reader {
  chars: readonly string[];
  at: number;
  depth: number;
  isStored: boolean;
}

function fail(reader: Reader, problem: string): never {
  throw new PatternError(`${problem} (at character ${reader.at + 1})`);
}

function readAlternation(reader: Reader): Part {
  const branches = [readSequence(reader)];
  while (reader.chars[reader.at] === "|") {
    reader.at += 1;
    branches.push(readSequence(reader));
  }
  return alternativesOf(branches);
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  for (let next = reader.chars[reader.at]; next !== undefined; next = reader.chars[reader.at]) {
    if (next === "|" || next === ")") break;
    parts.push(readRepeated(reader));
  }
  return sequenceOf(parts);
}

function readRepeated(reader: Reader): Part {
  const anchor = "^$".includes(reader.chars[reader.at] ?? " ");
  const part = readOne(reader);
  const start = reader.at;
  const counts = readCounts(reader);
  if (counts === null) return part;
  if (anchor) fail({ ...reader, at: start }, "^ and $ match a position, which cannot be repeated");
  const whole = repeated(part, counts);
  if (whole.repeats > MOST_REPEATS) {
    fail({ ...reader, at: start }, `more than ${MOST_REPEATS} repetitions; use * or +`);
  }
  if (whole.size > LARGEST) fail({ ...reader, at: start }, TOO_LARGE);
  return whole;
}

const ANY_NUMBER: Counts = { least: 0, most: null, text: "*" };
const SIGNS: Record<string, Counts> = {
  "*": ANY_NUMBER,
  "+": { least: 1, most: null, text: "+" },
  "?": { least: 0, most: 1, text: "?" },
};

function readCounts(reader: Reader): Counts | null {
  const char = reader.chars[reader.at] ?? "";
  const counts = char === "{" ? readBraces(reader) : (SIGNS[char] ?? null);
  if (counts === null) return null;
  if (char !== "{") reader.at += 1;
  // A lazy repetition matches the same whole strings as a greedy one.
  if (reader.chars[reader.at] === "?") reader.at += 1;
  const after = reader.chars[reader.at] ?? "";
  if (after !== "" && "*+?{".includes(after)) fail(reader, `"${after}" repeats a repetition; use a group`);
  return counts;
}

function readBraces(reader: Reader): Counts {
  const rest = reader.chars.slice(reader.at, reader.at + 12).join("");
  const match = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(rest);
  if (match === null) fail(reader, "expected a count such as {3}, {3,} or {3,5}; write \\{ for a brace");
  const least = Number(match[1]);
  const open = match[2] !== undefined;
  const most = match[3] === undefined ? (open ? null : least) : Number(match[3]);
  if (most !== null && most < least) fail(reader, `{${least},${most}} counts down`);
  reader.at += match[0].length;
  return { least, most, text: `{${least}${most === least ? "" : `,${most ?? ""}`}}` };
}

function readOne(reader: Reader): Part {
  const char = reader.chars[reader.at] ?? "";
  if (char === "(") return readGroup(reader);
  if (char === "[") return readSet(reader);
  if ("*+?{".includes(char))
    fail(reader, `"${char}" repeats nothing; write \\${char} for the character itself`);
  if ("]}".includes(char)) fail(reader, `"${char}" closes nothing; write \\${char} for the character itself`);
  if (char === "\\") return escapePart(reader);
  reader.at += 1;
  if (char === ".") return dotPart;
  return "^$".includes(char) ? anchorPart(char) : lettersPart(literalChar(char), char, reader.isStored);
}

function escapePart(reader: Reader): Part {
  const text = readEscape(reader);
  return /^\\[dws]$/i.test(text)
    ? setPart(text, STEPS_OF_DOT)
    : lettersPart(text, text.slice(1), reader.isStored);
}

function readGroup(reader: Reader): Part {
  const start = reader.at;
  reader.at += 1;
  if (reader.chars[reader.at] === "?") {
    if (reader.chars[reader.at + 1] !== ":") {
      fail(reader, "the only supported group with ? is (?:…): no look-ahead, names or flags");
    }
    reader.at += 2;
  }
  reader.depth += 1;
  if (reader.depth > DEEPEST) fail(reader, `groups are nested more than ${DEEPEST} levels deep`);
  const inner = readAlternation(reader);
  if (reader.chars[reader.at] !== ")") fail({ ...reader, at: start }, 'this "(" is not closed');
  reader.at += 1;
  reader.depth -= 1;
  return { ...inner, text: `(?:${inner.text})` };
}

function readSet(reader: Reader): Part {
  const start = reader.at;
  reader.at += 1;
  const negated = reader.chars[reader.at] === "^";
  if (negated) reader.at += 1;
  const items: string[] = [];
  for (let char = reader.chars[reader.at]; char !== "]"; char = reader.chars[reader.at]) {
    if (char === undefined) fail({ ...reader, at: start }, 'this "[" is not closed');
    items.push(readSetItem(reader));
  }
  if (items.length === 0) fail(reader, "this set is empty; write \\] for a bracket in it");
  reader.at += 1;
  return setPart(`[${negated ? "^" : ""}${items.join("")}]`, STEPS_OF_DOT * (items.length + 1));
}

function readSetItem(reader: Reader): string {
  const first = readSetChar(reader);
  const isRange = reader.chars[reader.at] === "-" && (reader.chars[reader.at + 1] ?? "]") !== "]";
  if (!isRange) return first.text;
  const dash = reader.at;
  reader.at += 1;
  const last = readSetChar(reader);
  if (first.code === null || last.code === null)
    fail({ ...reader, at: dash }, "a range must be between two characters");
  if (first.code > last.code) fail({ ...reader, at: dash }, "this range runs backwards");
  return `${first.text}-${last.text}`;
}

function readSetChar(reader: Reader): { text: string; code: number | null } {
  const char = reader.chars[reader.at] ?? "";
  if (char === "[") fail(reader, "nested sets and [:names:] are not supported; write \\[ for a bracket");
  if (char === "\\") {
    const text = readEscape(reader);
    return { text, code: /^\\[dws]$/i.test(text) ? null : (CONTROLS[text] ?? text.codePointAt(1) ?? 0) };
  }
  reader.at += 1;
  return { text: literalChar(char), code: char.codePointAt(0) ?? 0 };
}

const CONTROLS: Record<string, number> = { "\\t": 9, "\\n": 10, "\\r": 13 };

function readEscape(reader: Reader): string {
  const char = reader.chars[reader.at + 1];
  if (char === undefined) fail(reader, "the pattern ends in a backslash; write \\\\ for a backslash");
  if (!/^[dDwWsStnr!-/:-@[-`{-~]$/.test(char)) {
    fail(
      reader,
      `\\${char} is unknown: use \\d \\w \\s \\D \\W \\S \\t \\n \\r, or \\ before a punctuation mark`,
    );
  }
  reader.at += 2;
  return `\\${char}`;
}

function literalChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 32 || code === 127) return `\\x{${code.toString(16)}}`;
  return /^[!-/:-@[-`{-~]$/.test(char) ? `\\${char}` : char;
}

/**
 * Returns the number of steps of a LIKE pattern in the engine's form. The engine matches the pattern as a
 * regular expression in which % and _ are dots, or as a plain search if it has at most two of them.
 */
export function likeSteps(pattern: string): number {
  const wildcards = pattern.replaceAll(/[^%_]/g, "").length;
  return wildcards * STEPS_OF_DOT + (wildcards <= 2 ? 0 : 4 * pattern.length);
}

/** Returns the `choices` of a LIKE pattern; see `PatternWork`. */
export function likeChoices(pattern: string, isStored: boolean): number {
  const parts = (pattern.match(/\\.|[%_]|[^\\%_]+/gs) ?? []).map((part) => {
    if (part === "_") return dotPart;
    if (part === "%") return repeated(dotPart, ANY_NUMBER);
    return lettersPart(part, part.startsWith("\\") ? part.slice(1) : part, isStored);
  });
  return choicesOf(sequenceOf(parts));
}
