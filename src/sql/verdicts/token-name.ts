import { type Sql, sql, text } from "../../engine-sql/sql-text.ts";

/**
 * Top-level domains that occur in the names of spam tokens. `fi` is left out, because the tokens of Curve's
 * pools are named `Curve.fi …` and have no trades.
 */
const DOMAINS =
  "com|net|org|info|biz|io|co|me|gg|ai|app|xyz|top|site|online|website|space|store|shop|live|life|link|click|club|fun|" +
  "vip|pro|win|bet|cash|gift|gifts|claims|events|exchange|finance|fund|money|network|cloud|digital|land|world|today|" +
  "tech|dev|lol|ltd|icu|cfd|sbs|run|pw|cc|ru|cn|in|us|to|eu|lat|bond|art|social|community|foundation|zone|page";

/** A URL, or a domain that is not followed by another letter or digit. Expects the name in lower case. */
const LINK = `https?:|www[.]|t[.]me/|discord[.]|[a-z0-9][a-z0-9-]+[.](?:${DOMAINS})(?:[^a-z0-9]|$)`;

/**
 * Prints a condition that is true if a token's name or symbol contains a link or a domain, and false if both
 * are unknown.
 */
export function hasLink(name: Sql, symbol: Sql): Sql {
  const words = sql`concat(ifNull(${name}, ''), ' ', ifNull(${symbol}, ''))`;
  return sql`match(lowerUTF8(${words}), ${text(LINK)})`;
}

/**
 * Capitals of other alphabets and symbols that look like Latin capitals. NFKD decomposes most other
 * lookalikes.
 */
const LOOKALIKES: Record<string, string> = {
  A: "\u0391\u0410\u13aa\ua4ee",
  B: "\u0392\u0412\u13f4\ua4d0",
  C: "\u0421\u13df\ua4da",
  D: "\u13a0\ua4d3",
  E: "\u0395\u0415\u13ac\ua4f0",
  H: "\u0397\u041d\u13bb\ua4e7",
  I: "\u0399\u0406\u04c0\ua4f2",
  J: "\u0408\u13ab\ua4d9",
  K: "\u039a\u041a\u13e6\ua4d7",
  M: "\u039c\u041c\u13b7\ua4df",
  N: "\u039d\ua4e0",
  O: "\u039f\u041e\u0555\ua4f3",
  P: "\u03a1\u0420\u13e2\ua4d1",
  S: "\u0405\u054f\u13da\ua4e2",
  T: "\u03a4\u0422\u13a2\ua4d4\u20ae",
  U: "\u054d\u144c\ua4f4",
  W: "\u051c\u13b3\ua4ea",
  X: "\u03a7\u0425\ua4eb",
  Y: "\u03a5\u0423\u04ae\ua4ec",
  Z: "\u0396\u13c3\ua4dc",
};

/** Lookalikes that NFKD would replace by letters that look different: the lunate sigma becomes a sigma. */
const REPLACED_LOOKALIKES = "\u03f2\u03f9";
const REPLACED_LATIN = "CC";

const LOOKALIKE_LETTERS = Object.values(LOOKALIKES).join("");
const LATIN_LETTERS = Object.entries(LOOKALIKES)
  .map(([latin, others]) => latin.repeat([...others].length))
  .join("");

/** Digits that look like Latin capitals. */
const DIGITS = "015";
const DIGIT_LETTERS = "OIS";

/**
 * Prints a symbol as it looks to readers: Latin capitals, and digits that look like no capital, without
 * accents, blanks, invisible characters or punctuation. Two V are a W. Symbols that look alike give the same text. Symbols in another script give an
 * empty string.
 */
export function folded(symbol: Sql): Sql {
  const kept = sql`translateUTF8(ifNull(${symbol}, ''), ${text(REPLACED_LOOKALIKES)}, ${text(REPLACED_LATIN)})`;
  const capitals = sql`upperUTF8(normalizeUTF8NFKD(${kept}))`;
  const latin = sql`translateUTF8(${capitals}, ${text(LOOKALIKE_LETTERS + DIGITS)}, ${text(LATIN_LETTERS + DIGIT_LETTERS)})`;
  return sql`replaceAll(replaceRegexpAll(${latin}, '[^A-Z0-9]', ''), 'VV', 'W')`;
}
