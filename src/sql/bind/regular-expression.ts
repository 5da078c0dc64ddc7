import { BaseError } from "../../lib/error.ts";

/**
 * Translates a pattern of RLIKE. The syntax is limited to what has the same meaning in Java, Lucene and RE2.
 * The pattern is parsed and printed again, so the engine's parser sees only what this parser understands.
 */
export function translatePattern(pattern: string): TranslatedPattern {
  if (pattern.length > LONGEST) throw new PatternError(`it is longer than ${LONGEST} characters`);
  const reader: Reader = { chars: [...pattern], at: 0, depth: 0 };
  const { text, size, live } = readAlternation(reader);
  if (reader.at < reader.chars.length) fail(reader, 'this ")" closes nothing; write \\) for a parenthesis');
  if (size > LARGEST) throw new PatternError(TOO_LARGE);
  return { text, size, live };
}

export interface TranslatedPattern {
  /** The pattern for the engine. */
  text: string;
  /** Number of steps with all repetitions written out. */
  size: number;
  /**
   * Maximum number of steps that the engine may follow at one character: all steps after a part of variable
   * length.
   */
  live: number;
}

/** An error in a pattern. */
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
}

/**
 * A part of a pattern: its text for the engine, its number of steps with all repetitions written out, and the
 * maximum number of repetitions of its innermost part.
 */
interface Part {
  text: string;
  size: number;
  repeats: number;
  live: number;
  /** True if it matches texts of different lengths. */
  isElastic: boolean;
}

function fail(reader: Reader, problem: string): never {
  throw new PatternError(`${problem} (at character ${reader.at + 1})`);
}

function join(parts: readonly Part[], separator: string): Part {
  return {
    text: parts.map(({ text }) => text).join(separator),
    size: parts.reduce((sum, { size }) => sum + size, parts.length),
    repeats: Math.max(1, ...parts.map(({ repeats }) => repeats)),
    live: separator === "" ? liveInSequence(parts) : parts.reduce((sum, { live }) => sum + live, 0),
    isElastic: (separator !== "" && parts.length > 1) || parts.some(({ isElastic }) => isElastic),
  };
}

/**
 * Counts the live steps of a sequence. After an elastic part, the engine cannot know where the next parts
 * start, so it follows every possible start.
 */
function liveInSequence(parts: readonly Part[]): number {
  const first = parts.findIndex(({ isElastic }) => isElastic);
  return parts.reduce((sum, { live, size }, i) => sum + (first >= 0 && i > first ? size : live), 0);
}

function readAlternation(reader: Reader): Part {
  const branches = [readSequence(reader)];
  while (reader.chars[reader.at] === "|") {
    reader.at += 1;
    branches.push(readSequence(reader));
  }
  return join(branches, "|");
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  for (let next = reader.chars[reader.at]; next !== undefined; next = reader.chars[reader.at]) {
    if (next === "|" || next === ")") break;
    parts.push(readRepeated(reader));
  }
  return join(parts, "");
}

function readRepeated(reader: Reader): Part {
  const anchor = "^$".includes(reader.chars[reader.at] ?? " ");
  const part = readOne(reader);
  const start = reader.at;
  const counts = readCounts(reader);
  if (counts === null) return part;
  if (anchor) fail({ ...reader, at: start }, "^ and $ match a position, which cannot be repeated");
  const { least, most, text } = counts;
  const times = Math.max(most ?? least + 1, 1);
  const repeats = part.repeats * Math.max(most ?? least, 1);
  if (repeats > MOST_REPEATS) {
    fail({ ...reader, at: start }, `more than ${MOST_REPEATS} repetitions; use * or +`);
  }
  const size = part.size * times + 1;
  if (size > LARGEST) fail({ ...reader, at: start }, TOO_LARGE);
  const isElastic = most !== least;
  const live = isElastic || part.isElastic ? size : part.live;
  return { text: part.text + text, size, repeats, live, isElastic: isElastic || part.isElastic };
}

interface Counts {
  least: number;
  most: number | null;
  text: string;
}

const SIGNS: Record<string, Counts> = {
  "*": { least: 0, most: null, text: "*" },
  "+": { least: 1, most: null, text: "+" },
  "?": { least: 0, most: 1, text: "?" },
};

function readCounts(reader: Reader): Counts | null {
  const char = reader.chars[reader.at] ?? "";
  const counts = char === "{" ? readBraces(reader) : (SIGNS[char] ?? null);
  if (counts === null) return null;
  if (char !== "{") reader.at += 1;
  // A lazy repetition matches the same whole texts as a greedy one.
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

/** Steps of a dot, a set or a class. They match many characters, each of up to four bytes. */
export const STEPS_OF_DOT = 12;

function readOne(reader: Reader): Part {
  const char = reader.chars[reader.at] ?? "";
  if (char === "(") return readGroup(reader);
  if (char === "[") return readSet(reader);
  if ("*+?{".includes(char))
    fail(reader, `"${char}" repeats nothing; write \\${char} for the character itself`);
  if ("]}".includes(char)) fail(reader, `"${char}" closes nothing; write \\${char} for the character itself`);
  if (char === "\\") return single(readEscape(reader), STEPS_OF_DOT);
  reader.at += 1;
  if (".^$".includes(char)) return single(char, STEPS_OF_DOT);
  return single(literalChar(char), 4);
}

function single(text: string, size: number): Part {
  return { text, size, repeats: 1, live: 1, isElastic: false };
}

function readGroup(reader: Reader): Part {
  const start = reader.at;
  reader.at += 1;
  if (reader.chars[reader.at] === "?") {
    if (reader.chars[reader.at + 1] !== ":") {
      fail(reader, "of the groups with ?, only (?:…) is supported: no look-ahead, no names, no flags");
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
  return single(`[${negated ? "^" : ""}${items.join("")}]`, STEPS_OF_DOT * (items.length + 1));
}

function readSetItem(reader: Reader): string {
  const first = readSetChar(reader);
  const isRange = reader.chars[reader.at] === "-" && (reader.chars[reader.at + 1] ?? "]") !== "]";
  if (!isRange) return first.text;
  const dash = reader.at;
  reader.at += 1;
  const last = readSetChar(reader);
  if (first.code === null || last.code === null)
    fail({ ...reader, at: dash }, "a range runs between characters");
  if (first.code > last.code) fail({ ...reader, at: dash }, "this range runs backwards");
  return `${first.text}-${last.text}`;
}

function readSetChar(reader: Reader): { text: string; code: number | null } {
  const char = reader.chars[reader.at] ?? "";
  if (char === "[") fail(reader, "sets in sets and [:names:] are not supported; write \\[ for a bracket");
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
