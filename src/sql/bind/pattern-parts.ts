/**
 * A part of a pattern, with estimates of the work of the engine's matcher. The matcher reads a text once and
 * keeps the set of the steps at which it may be. It builds a state for each such set that it meets, which is
 * fast as long as the sets recur.
 */
export interface Part {
  /** Its text for the engine. */
  text: string;
  /** Number of steps, with all repetitions written out. */
  size: number;
  /** Maximum number of repetitions of its innermost part. */
  repeats: number;
  /** Maximum number of steps at which the matcher may be at one character, if the part has a known start. */
  live: number;
  /** Number of `choices` (see `PatternWork`) if the part has a known start. */
  liveChoices: number;
  /** The same if it can start at any character. */
  choices: number;
  /** Least number of characters that it matches, if all of them are given ones; else 0. */
  letters: number;
  /** True if it matches texts of different lengths. */
  isElastic: boolean;
  /** What it repeats a fixed number of times, if it is nothing but a dot or a set. */
  run: "dot" | "set" | null;
  /** True for a dot that repeats without end. */
  isAnyText: boolean;
}

/** Steps of a dot, a set or a class. They match many characters, each of up to four bytes. */
export const STEPS_OF_DOT = 12;
const STEPS_OF_LETTER = 4;

/**
 * Number of given characters in a row that are rare in stored texts: the matcher seldom follows more than one
 * start of what comes after them.
 */
const RARE_LETTERS = 2;

export const dotPart: Part = { ...unit(".", STEPS_OF_DOT), choices: 1, run: "dot" };

/** A set or a class. */
export function setPart(text: string, size: number): Part {
  return { ...unit(text, size), choices: 1, run: "set" };
}

/** A position such as the start of the text. */
export const anchorPart = (text: string): Part => unit(text, STEPS_OF_DOT);

/**
 * Characters that match only themselves: `count` of them, in the engine's form.
 *
 * @param isStored true if they are matched against stored texts; in computed ones, they may be frequent
 */
export function lettersPart(
  text: string,
  { isStored, count = 1 }: { isStored: boolean; count?: number },
): Part {
  return { ...unit(text, STEPS_OF_LETTER * count), letters: isStored ? count : 0 };
}

function unit(text: string, size: number): Part {
  const none = { liveChoices: 0, choices: 0, letters: 0, isElastic: false, run: null, isAnyText: false };
  return { text, size, repeats: 1, live: 1, ...none };
}

export function sequenceOf(parts: readonly Part[]): Part {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  return {
    ...joined(parts, ""),
    live: liveSteps(parts),
    liveChoices: choicesIn(parts, "known"),
    choices: choicesIn(parts, "anywhere"),
    letters: parts.every(({ letters }) => letters > 0) ? sum(parts, "letters") : 0,
    isElastic: parts.some(({ isElastic }) => isElastic),
    run: null,
    isAnyText: false,
  };
}

export function alternativesOf(branches: readonly Part[]): Part {
  if (branches.length === 1 && branches[0] !== undefined) return branches[0];
  return {
    ...joined(branches, "|"),
    live: sum(branches, "live"),
    liveChoices: sum(branches, "liveChoices"),
    choices: 1 + sum(branches, "choices"),
    letters: Math.min(...branches.map(({ letters }) => letters)),
    isElastic: true,
    run: null,
    isAnyText: false,
  };
}

/** How often a part is repeated; `most` is null without an upper bound. */
export interface Counts {
  least: number;
  most: number | null;
  text: string;
}

export function repeated(part: Part, { least, most, text }: Counts): Part {
  const times = Math.max(most ?? least + 1, 1);
  const isOptional = most !== least;
  const isElastic = isOptional || part.isElastic;
  const size = part.size * times + 1;
  const isAnyText = part.run === "dot" && most === null;
  // Once the matcher is at a dot that repeats without end, it stays there.
  const choices = isAnyText ? least : times * Math.max(Number(isOptional), part.choices);
  return {
    text: part.text + text,
    size,
    repeats: part.repeats * Math.max(most ?? least, 1),
    live: isElastic ? size : part.live,
    liveChoices: isElastic ? choices : part.liveChoices,
    choices,
    letters: isElastic ? 0 : part.letters * least,
    isElastic,
    run: isElastic ? null : part.run,
    isAnyText,
  };
}

function joined(parts: readonly Part[], separator: string) {
  return {
    text: parts.map(({ text }) => text).join(separator),
    size: sum(parts, "size") + parts.length,
    repeats: parts.reduce((most, { repeats }) => Math.max(most, repeats), 1),
  };
}

/** After an elastic part, the matcher cannot know where the next parts start, so it follows every start. */
function liveSteps(parts: readonly Part[]): number {
  const first = parts.findIndex(({ isElastic }) => isElastic);
  return parts.reduce((total, { live, size }, i) => total + (first >= 0 && i > first ? size : live), 0);
}

/**
 * Where a part of a sequence can start: at a known character, at any characters, depending on the text, or at
 * every character.
 */
type Start = "known" | "anywhere" | "everywhere";

function choicesIn(parts: readonly Part[], from: Start): number {
  let start = from;
  let letters = 0;
  let total = 0;
  for (const part of parts) {
    // From every character, only the length of the run before the current character matters.
    if (start === "everywhere" && part.run !== null) total += Number(part.run === "set");
    else total += start === "known" ? part.liveChoices : part.choices;
    letters = part.letters === 0 ? 0 : letters + part.letters;
    start = startAfter(part, start, letters);
  }
  return total;
}

/** @param letters number of given characters in a row, up to the end of the part */
function startAfter(part: Part, start: Start, letters: number): Start {
  if (letters >= RARE_LETTERS) return "known";
  if (part.isAnyText) return "everywhere";
  if (start === "known") return part.isElastic ? "anywhere" : "known";
  return start === "everywhere" && part.run === "dot" ? "everywhere" : "anywhere";
}

function sum(
  parts: readonly Part[],
  figure: "size" | "live" | "liveChoices" | "choices" | "letters",
): number {
  return parts.reduce((total, part) => total + part[figure], 0);
}
