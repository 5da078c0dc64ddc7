import { seeded } from "../../support/seeded.ts";

/** Fragments of queries from attackers and careless clients. */
const FRAGMENTS = [
  ..."' '' \" ` \\ ( ) , ; -- /* */ # ? :: :  || && <=> .. $1 @ ~ ^ { } [ ] \0 \u200b \ufeff \u00a0 é 🚀 ' OR 1=1 --".split(
    " ",
  ),
  ..."0x 0x12 1e999 -0 1e-999 .5 5. 1_000 99999999999999999999999 -9223372036854775808 NaN inf".split(" "),
  ..."url( file( s3( remote( executable( numbers( system. information_schema. dictGet( sleep( INTO OUTFILE".split(
    " ",
  ),
  ..."SETTINGS FORMAT KILL SYSTEM SHUTDOWN UNION ALL EXCEPT INTERSECT OVER PREWHERE FINAL SAMPLE ARRAY JOIN".split(
    " ",
  ),
  "ＳＥＬＥＣＴ",
  "ѕelect",
  "＇",
  "；",
  "CAST(1 AS ",
  "CASE WHEN ",
  "INTERVAL '1' YEAR TO ",
  "RLIKE '(a+)+$'",
  "\u2028",
  "\ud800",
];

const WORDS =
  "SELECT DISTINCT TOP FROM WHERE GROUP BY HAVING ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET AND OR NOT IN BETWEEN IS NULL LIKE RLIKE ESCAPE AS INTERVAL TRUE FALSE CASE WHEN THEN ELSE END CAST EXTRACT DAY MONTH YEAR SECOND ( ) ( ) , , . ; * + - / % = <> < <= > >= :: 0 1 7 0.5 'a' '5' '2024-01-31' '%a_' '[a-z]+' \"side\" `x`".split(
    " ",
  );

const COLUMNS =
  "timestamp block_number log_index side amount_usd token_symbol token_address pool_address price_token_eth".split(
    " ",
  );

const KINDS = ["number", "text", "time", "condition"] as const;
type Kind = (typeof KINDS)[number];

const ATOMS: Record<Kind, readonly string[]> = {
  number:
    "0 1 -1 2.5 1e18 NULL amount_usd log_index price_token_eth block_number num_trades_1h 9007199254740993 1e-300 1e300".split(
      " ",
    ),
  text: "'a' '' 'uniswap_v2' side token_symbol protocol_name token_address pool_address transaction_hash '🚀é'".split(
    " ",
  ),
  time: ["timestamp", "NOW()", "TODAY()", "CAST('2024-01-31' AS DATE)", "timestamp"],
  condition: ["TRUE", "FALSE", "side = 'buy'", "amount_usd > 5", "timestamp > 1700000000"],
};

/** n#, t#, d# and c# mean a number, a string, a time (date) and a condition. ~ means a regular expression. */
const KIND_MARKS: Record<string, Kind> = { "n#": "number", "t#": "text", "d#": "time", "c#": "condition" };

const SHAPES: Record<Kind, readonly string[]> = {
  number: [
    ..."(n# + n#)|(n# - n#)|(n# * n#)|(n# / n#)|(n# % n#)|-(n#)|ABS(n#)|ROUND(n#, 2)|ROUND(n#, -3)|TRUNCATE(n#)".split(
      "|",
    ),
    ..."CEIL(n#)|LN(n#)|EXP(n#)|POWER(n#, n#)|SQRT(n#)|SIGN(n#)|ATAN2(n#, n#)|COT(n#)|MOD(n#, n#)|HISTOGRAM(n#, 7)".split(
      "|",
    ),
    ..."LENGTH(t#)|LOCATE(t#, t#, n#::INT)|OCTET_LENGTH(t#)|ASCII(t#)|CAST(t# AS DOUBLE)|t#::BIGINT|n#::BIGINT".split(
      "|",
    ),
    ..."YEAR(d#)|WEEK(d#)|EXTRACT(DOW FROM d#)|DATE_DIFF('week', d#, d#)|DATE_PART('iso_week', d#)|d#::BIGINT|c#::INT".split(
      "|",
    ),
  ],
  text: [
    ..."CONCAT(t#, t#)|LEFT(t#, n#::INT)|RIGHT(t#, 2)|SUBSTRING(t#, n#::INT, 3)|REPLACE(t#, t#, t#)|TRIM(t#)|LCASE(t#)".split(
      "|",
    ),
    ..."REVERSE(t#)|CAST(n# AS VARCHAR)|d#::VARCHAR|c#::VARCHAR|DAY_NAME(d#)|DATE_FORMAT(d#, '%Y-%j %%')".split(
      "|",
    ),
  ],
  time: [
    ..."DATE_TRUNC('month', d#)|DATE_TRUNC('ww', d#)|DATE_ADD('month', n#::INT, d#)|DATE_ADD('s', n#::INT, d#)".split(
      "|",
    ),
    ..."d# - INTERVAL 1 MONTH|d# + INTERVAL '1 2:03' DAY TO MINUTE|HISTOGRAM(d#, INTERVAL 3 HOURS)|d#::DATE|CAST(n# AS TIMESTAMP)".split(
      "|",
    ),
  ],
  condition: [
    ..."(c# AND c#)|(c# OR NOT c#)|n# < n#|n# = n#|n# BETWEEN n# AND n#|n# IN (1, 2.5, 3)|n# IS NULL|t# IS NOT NULL".split(
      "|",
    ),
    ..."t# = t#|t# <> 'a'|t# LIKE '%a_'|t# NOT LIKE 'a!%' ESCAPE '!'|t# RLIKE '~'|STARTS_WITH(t#, t#)|d# >= d#".split(
      "|",
    ),
    ..."d# BETWEEN '2023-01-01' AND 1709164800|d# < d# - INTERVAL 7 DAYS|n#::BOOLEAN|t#::BOOLEAN|(c#) = (c#)".split(
      "|",
    ),
  ],
};

/** Makes texts from a seed: changed queries, words in any order, and nearly valid expressions. */
export class HostileTexts {
  readonly #random: () => number;
  readonly #queries: readonly string[];

  constructor(seed: number, queries: readonly string[]) {
    this.#random = seeded(seed);
    this.#queries = queries;
  }

  next(): string {
    const kind = this.#random();
    if (kind < 0.4) return this.#changedQuery();
    if (kind < 0.5) return this.#words();
    return this.#nearlyValid();
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #changedQuery(): string {
    let text = this.#pick(this.#queries);
    for (let edits = 1 + this.#below(4); edits > 0; edits--) {
      const at = this.#below(text.length + 1);
      const put = this.#random() < 0.6 ? this.#pick(FRAGMENTS) : this.#slice();
      text = text.slice(0, at) + (this.#random() < 0.2 ? "" : put) + text.slice(at + this.#below(12));
    }
    return text;
  }

  #slice(): string {
    const other = this.#pick(this.#queries);
    const at = this.#below(other.length);
    return other.slice(at, at + this.#below(40));
  }

  #words(): string {
    const words = Array.from({ length: 1 + this.#below(30) }, () =>
      this.#random() < 0.1 ? this.#pick(FRAGMENTS) : this.#pick([...WORDS, ...COLUMNS]),
    );
    return `${this.#random() < 0.7 ? "SELECT " : ""}${words.join(" ")}`;
  }

  #nearlyValid(): string {
    const item = () => `${this.#any(4)}${this.#chance(0.3) ? ` AS ${this.#pick(["a", '"b c"', "n"])}` : ""}`;
    const items = Array.from({ length: 1 + this.#below(2) }, item);
    const where = this.#chance(0.7) ? ` WHERE ${this.#value("condition", 3)}` : "";
    const order = this.#chance(0.3) ? ` ORDER BY ${this.#any(2)} DESC` : "";
    const limit = this.#chance(0.3) ? ` LIMIT ${this.#below(50)}` : "";
    if (this.#chance(0.7)) return `SELECT ${items.join(", ")} FROM eth_dex_trades${where}${order}${limit}`;
    const aggregates = `${this.#aggregate()}, ${this.#aggregate()} AS b`;
    const having = this.#chance(0.3) ? ` HAVING ${this.#aggregate()} IS NOT NULL` : "";
    return `SELECT ${item()}, ${aggregates} FROM eth_dex_trades${where} GROUP BY 1${having}${limit}`;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #any(depth: number): string {
    return this.#value(this.#pick(KINDS), depth);
  }

  #aggregate(): string {
    const name = this.#pick("SUM AVG MIN MAX MEDIAN COUNT STDDEV_POP".split(" "));
    if (this.#chance(0.2)) return `LAST(${this.#any(2)}, ${this.#value("number", 1)})`;
    return `${name}(${this.#value("number", 3)})`;
  }

  /** Returns an expression, usually of the wanted kind. */
  #value(wanted: Kind, depth: number): string {
    const kind = this.#chance(0.02) ? this.#pick(KINDS) : wanted;
    if (this.#chance(0.01)) return this.#pick(FRAGMENTS);
    if (depth <= 0 || this.#chance(0.2)) return this.#pick(ATOMS[kind]);
    if (this.#chance(0.15)) return this.#choice(kind, depth - 1);
    return this.#pick(SHAPES[kind])
      .replaceAll(/[ntdc]#/g, (mark) => this.#value(KIND_MARKS[mark] ?? "number", depth - 1))
      .replaceAll("~", () => this.#pattern());
  }

  #choice(kind: Kind, depth: number): string {
    const value = () => this.#value(kind, depth);
    const condition = this.#value("condition", depth);
    return this.#pick([
      `CASE WHEN ${condition} THEN ${value()} ELSE ${value()} END`,
      `CASE WHEN ${condition} THEN ${value()} END`,
      `COALESCE(${value()}, NULL, ${value()})`,
      `IIF(${condition}, ${value()})`,
      `NULLIF(${value()}, ${value()})`,
      kind === "condition" ? value() : `GREATEST(${value()}, ${value()})`,
    ]);
  }

  #pattern(): string {
    const parts =
      "a b . .* [a-z] [^x-] (a|b) (?:a) \\d \\\\ \\. {2} {3,} {0,1000} + ? ^ $ | ( ) ] é % _ (a{9}){9}".split(
        " ",
      );
    return Array.from({ length: this.#below(7) }, () => this.#pick(parts)).join("");
  }
}
