/**
 * A part of a pattern, with estimates of the work of the engine's matcher. The matcher reads a string once
 * and keeps the set of the steps at which it may be. It builds a state for each such set that it reaches,
 * which is fast as long as the same sets recur.
 */
export interface Part {
  /** The part's text for the engine. */
  text: string;
  /** Number of steps, with all repetitions written out. */
  size: number;
  /** Maximum number of repetitions of the part's innermost part. */
  repeats: number;
  /** Maximum number of steps at which the matcher may be at one character, if the part has a known start. */
  live: number;
  /** Number of `choices` (see `PatternWork`) if the part has a known start. */
  liveChoices: number;
  /** Number of `choices` if the part can start at any character. */
  choices: number;
  /**
   * The literal string that the part matches, up to `KEPT_LETTERS`; for alternatives that are all rare, the
   * shortest one; otherwise empty.
   */
  letters: string;
  /** True if the part matches strings of different lengths. */
  isElastic: boolean;
  /** Whether the part is a dot or a set, repeated or not; null for any other part. */
  run: "dot" | "set" | null;
  /** Number of dots in the part that repeat without end. */
  anyTexts: number;
}

/** Number of steps of a dot, a set or a class. Each matches many characters, of up to four bytes. */
export const STEPS_OF_DOT = 12;
const STEPS_OF_LETTER = 4;

/**
 * A string of this many literal characters is rare in stored strings, so the matcher seldom follows more than
 * a few starts of the part after it.
 */
const RARE_LETTERS = 8;
/** A run of one character, such as zeros, is rare only from this length on. */
const RARE_RUN = 20;
/** Maximum number of alternatives that may count as one rare string. */
const MOST_RARE_TEXTS = 8;
/** Maximum number of a part's literal characters that are kept. */
const KEPT_LETTERS = 20;

export const dotPart: Part = { ...unit(".", STEPS_OF_DOT), choices: 1, run: "dot" };

/** Makes the part for a set or a class. */
export function setPart(text: string, size: number): Part {
  return { ...unit(text, size), choices: 1, run: "set" };
}

/** Makes the part for a position, such as the start of the text. */
export const anchorPart = (text: string): Part => unit(text, STEPS_OF_DOT);

/**
 * Makes the part for characters that match only themselves.
 *
 * @param text in the engine's form
 * @param letters the characters themselves
 * @param isStored true if they are matched against stored strings; in computed strings, they may be frequent
 */
export function lettersPart(text: string, letters: string, isStored: boolean): Part {
  const size = STEPS_OF_LETTER * letters.length;
  return { ...unit(text, size), letters: isStored ? letters.slice(0, KEPT_LETTERS) : "" };
}

function unit(text: string, size: number): Part {
  const none = { liveChoices: 0, choices: 0, letters: "", isElastic: false, run: null, anyTexts: 0 };
  return { text, size, repeats: 1, live: 1, ...none };
}

/**
 * Returns the number of `choices` of a whole pattern (see `PatternWork`). The matcher reaches its endless
 * dots one after the other, so n of them add log2(n + 1) to the other choices, if there are any.
 */
export function choicesOf({ liveChoices, anyTexts }: Part): number {
  return liveChoices === 0 ? 0 : liveChoices + Math.floor(Math.log2(1 + anyTexts));
}

export function sequenceOf(parts: readonly Part[]): Part {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  return {
    ...joined(parts, ""),
    live: liveSteps(parts),
    liveChoices: choicesIn(parts, "known"),
    choices: choicesIn(parts, "anywhere"),
    letters: lettersOf(parts),
    isElastic: parts.some(({ isElastic }) => isElastic),
    run: null,
  };
}

export function alternativesOf(branches: readonly Part[]): Part {
  if (branches.length === 1 && branches[0] !== undefined) return branches[0];
  return {
    ...joined(branches, "|"),
    live: sum(branches, "live"),
    liveChoices: sum(branches, "liveChoices"),
    choices: 1 + sum(branches, "choices"),
    letters: shortestOf(branches),
    isElastic: true,
    run: null,
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
  const isAnyText = part === dotPart && most === null;
  // Once the matcher is at a dot that repeats without end, it stays there. Other endless repetitions are
  // loops.
  const copies = Math.max(most ?? least, 1);
  const choices = isAnyText ? least : copies * Math.max(Number(isOptional), part.choices);
  const letters = part.letters.repeat(Math.min(least, KEPT_LETTERS)).slice(0, KEPT_LETTERS);
  return {
    text: part.text + text,
    size,
    repeats: part.repeats * copies,
    live: isElastic ? size : part.live,
    liveChoices: part.isElastic ? choices : part.liveChoices + Number(isOptional),
    choices,
    letters: isElastic ? "" : letters,
    isElastic,
    // A repetition of repetitions, such as (.{40})*, can end at some lengths and not at others, so it is not
    // a run.
    run: part.repeats === 1 ? part.run : null,
    anyTexts: isAnyText ? 1 : part.anyTexts * times,
  };
}

function joined(parts: readonly Part[], separator: string) {
  return {
    text: parts.map(({ text }) => text).join(separator),
    size: sum(parts, "size") + parts.length,
    repeats: parts.reduce((most, { repeats }) => Math.max(most, repeats), 1),
    anyTexts: sum(parts, "anyTexts"),
  };
}

/** After an elastic part, the matcher cannot know where the next parts start, so it follows every start. */
function liveSteps(parts: readonly Part[]): number {
  const first = parts.findIndex(({ isElastic }) => isElastic);
  return parts.reduce((total, { live, size }, i) => total + (first >= 0 && i > first ? size : live), 0);
}

/**
 * Where a part of a sequence can start: at a known character, at some characters that depend on the text, or
 * at every character of a stretch.
 */
type Start = "known" | "anywhere" | "everywhere";

function choicesIn(parts: readonly Part[], from: Start): number {
  let start = from;
  let letters = "";
  let total = 0;
  for (const part of parts) {
    total += choicesFrom(part, start);
    letters = part.letters === "" ? "" : letters + part.letters;
    start = isRare(letters) ? "known" : startAfter(part, start);
  }
  return total;
}

function choicesFrom(part: Part, start: Start): number {
  if (part.run === null || start === "anywhere") return start === "known" ? part.liveChoices : part.choices;
  // Only the length of the run before the current character matters.
  return Number(part.run === "set" && start === "everywhere");
}

function startAfter(part: Part, start: Start): Start {
  if (part.anyTexts > 0 && part.run === "dot") return "everywhere";
  if (start === "known") return !part.isElastic ? "known" : part.run === null ? "anywhere" : "everywhere";
  return start === "everywhere" && part.run === "dot" ? "everywhere" : "anywhere";
}

function isRare(letters: string): boolean {
  return letters.length >= RARE_RUN || (letters.length >= RARE_LETTERS && new Set(letters).size > 1);
}

function lettersOf(parts: readonly Part[]): string {
  if (parts.some(({ letters }) => letters === "")) return "";
  return parts.reduce((all, { letters }) => all + letters, "").slice(0, KEPT_LETTERS);
}

function shortestOf(branches: readonly Part[]): string {
  if (branches.length > MOST_RARE_TEXTS || !branches.every(({ letters }) => isRare(letters))) return "";
  return branches.reduce(
    (shortest, { letters }) => (letters.length < shortest.length ? letters : shortest),
    branches[0]?.letters ?? "",
  );
}

function sum(
  parts: readonly Part[],
  figure: "size" | "live" | "liveChoices" | "choices" | "anyTexts",
): number {
  return parts.reduce((total, part) => total + part[figure], 0);
}
