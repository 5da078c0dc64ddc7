import { TABLE_NAMES, tableOf } from "../../../src/schema/tables.ts";

/** Every word of the engine's SQL that the printer may write outside quotes. */
const WORDS = new Set(
  (
    "SELECT DISTINCT AS FROM WHERE GROUP BY HAVING ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET AND OR NOT IN LIKE NULL " +
    "CAST Nullable Variant Int64 UInt64 String true false a b e g h m q r s v w x y if multiIf coalesce nullIf ifNull ifNotFinite isFinite isNull isNotNull " +
    "abs acos asin atan atan2 cbrt ceil cos cosh exp exp2 floor intDiv log log2 log10 pow round sign sin sinh sqrt tan trunc greatest least " +
    "toInt64 toInt256 toUInt64 toUInt256 toFloat64 toString toBool toDateTime toDateTime64 toUnixTimestamp toInt64OrNull " +
    "toFloat64OrNull accurateCastOrNull addMonths dateDiff dateName formatDateTime toYear toQuarter toMonth toWeek toISOWeek " +
    "toDayOfMonth toDayOfYear toDayOfWeek toHour toMinute toSecond toMonday toStartOfYear toStartOfQuarter toStartOfMonth " +
    "toStartOfDay toStartOfHour toStartOfMinute array arrayElement arrayJoin arrayMap tuple tupleElement ascii concat endsWith " +
    "startsWith hex unhex leftPad leftUTF8 rightUTF8 length lengthUTF8 lower lowerUTF8 upperUTF8 match positionUTF8 replaceAll " +
    "reverseUTF8 substringUTF8 trimBoth trimLeft trimRight count uniqExact sumOrNull avgOrNull minOrNull maxOrNull " +
    "argMinOrNullIf argMaxOrNullIf quantileExactInclusiveOrNull stddevPopStableOrNull stddevSampStableOrNull " +
    "varPopStableOrNull varSampStableOrNull countIf groupArray arrayAvg arrayMax arrayReduce char repeat formatDateTimeInJodaSyntax sum clamp " +
    // Words of the queries that compute verdicts.
    "IN SETTINGS optimize_aggregation_in_order LEFT JOIN ON true has toFixedString splitByChar toNullable arrayStringConcat arrayFilter " +
    "normalizeUTF8NFKD translateUTF8 replaceRegexpAll _judged _spam _wash _facts spam_reasons judged_token token_address token_name token_symbol " +
    "block_number first_seen_block_number price_token_usd_robust_tick_1 to_address timestamp transaction_hash reason token linked imitates untraded airdropped IS max min any has_unlisted is_unlisted trader traders trades swap_cents cents judged_pool judged_day " +
    "pool_address trader_address amount_usd quote_address log_index assumeNotNull wash_reason"
  ).split(" "),
);

const COLUMNS = new Set(
  TABLE_NAMES.map(tableOf).flatMap(({ columns, verdicts }) => Object.keys({ ...columns, ...verdicts })),
);
const TABLES = new Set<string>(TABLE_NAMES);

/** Matches the tokens that the printer writes. Any other character is a separate foreign token. */
const SHAPES =
  /\s+|'(?:[A-Za-z0-9 _.,:;/@%*()=+<>?!#$&|~^[\]{}-]|\\x[0-9a-f]{2})*'|`(?:[A-Za-z0-9 _.,:;/@%*()=+<>?!#$&|~^[\]{}-]|\\x[0-9a-f]{2})+`|[A-Za-z_]\w*|\d+(?:\.\d*)?(?:e[+-]?\d+)?|<=|>=|!=|->|--|\/\*|[-+*/%=<>(),.[\]]|[\s\S]/g;

/**
 * Returns tokens that the printer never writes: words outside the list, names other than columns, tables and
 * the printer's aliases, and other signs. Reads the text without the compiler's lexer.
 */
export function foreignParts(sql: string): string[] {
  const foreign: string[] = [];
  let before = "";
  let depth = 0;
  for (const [part] of sql.matchAll(SHAPES)) {
    if (part.trim() === "") continue;
    if (part === "(") depth += 1;
    if (part === ")") depth -= 1;
    if (depth < 0 || !isOurs(part, before)) foreign.push(part);
    before = part;
  }
  return depth === 0 ? foreign : [...foreign, "unbalanced parentheses"];
}

function isOurs(part: string, before: string): boolean {
  if (part.startsWith("'") && part.length > 1) return true;
  if (part.startsWith("`") && part.length > 1) return before === "AS" || isKnownName(part.slice(1, -1));
  if (/^[A-Za-z_]/.test(part)) return WORDS.has(part);
  return /^(?:\d.*|<=|>=|!=|->|[-+*/%=<>(),.[\]])$/.test(part);
}

function isKnownName(name: string): boolean {
  const table = /^(?:eth|base)_(\w+)$/.exec(name)?.[1];
  return (
    COLUMNS.has(name) ||
    /^_q(?:\d+_)?\d*$|^_(?:row|history|relevant)$/.test(name) ||
    (table !== undefined && TABLES.has(table))
  );
}
