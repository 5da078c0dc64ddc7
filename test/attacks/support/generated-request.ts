import { resolved } from "../../../src/api/support/described-answer.ts";
import { Draws } from "./draws.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document can have any shape
type Json = any;

/** An operation of an OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  description: Json;
}

export interface GeneratedRequest {
  operation: Operation;
  /** Path with parameters. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Values that exist in the index, by kind. */
export interface KnownValues {
  addresses: readonly string[];
  hashes: readonly string[];
  texts: readonly string[];
  /** Names of charts in TradingView. */
  symbols: readonly string[];
  times: readonly number[];
  statements: readonly string[];
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, description]) => ({
      method: method.toUpperCase(),
      path,
      description,
    })),
  );
}

/** Values that no parameter expects. */
const HOSTILE: readonly Json[] = [
  ...[null, true, "", " ", "null", "NaN", "Infinity", "-0", "1e309", "0x", "🦄", "a\u0000b", "\ud800", "%00"],
  ...[-1, 0, 0.5, 1e21, 2 ** 53, Number.MIN_SAFE_INTEGER, [], {}, [[]], [null], { a: { b: [{}] } }],
  ...["' OR 1=1 --", "`; DROP TABLE eth_blocks", "../../etc/passwd", "<script>", "\\", "\r\nX: y"],
  ...["a".repeat(5_000), "9".repeat(400), "__proto__", "constructor", "toString"],
];

const CONTENT_TYPES = [
  "text/plain",
  "application/xml",
  "application/json; charset=utf-16",
  "x",
  "multipart/form-data",
];
const ACCEPTED = ["*/*", "text/html", "text/csv", "application/x-ndjson", "", ";;;", "application/json;q=0"];
const ENCODINGS = ["gzip", "br", "identity;q=0", "zstd", "*", "x"];

const SUBSCRIPTIONS = [
  '[{"type":"blocks"}]',
  '[{"type":"trades"},{"type":"transfers"}]',
  '[{"type":"x"}]',
  "[]",
];

/** Generates a request for an operation of a document. Half of the requests are meant to be valid. */
export function generatedRequest(seed: number, document: Json, known: KnownValues): GeneratedRequest {
  const draws = new Draws(seed);
  const operation = draws.pick(operationsOf(document));
  const values = new Values(draws, document, known);
  const isSpoiled = draws.chance(0.5);
  const headers = headersOf(values, isSpoiled);
  const { parameters = [], requestBody } = operation.description;
  if (requestBody === undefined) {
    const query = queryOf(parameters, values, isSpoiled);
    return { operation, headers, path: `${operation.path}${query === "" ? "" : `?${query}`}` };
  }
  headers["content-type"] = isSpoiled && draws.chance(0.1) ? draws.pick(CONTENT_TYPES) : "application/json";
  const value = values.of(requestBody.content["application/json"].schema, "body");
  return { operation, headers, path: operation.path, body: bodyOf(value, values, isSpoiled) };
}

function headersOf(values: Values, isSpoiled: boolean): Record<string, string> {
  const { draws } = values;
  const headers: Record<string, string> = {};
  if (draws.chance(0.05)) headers.accept = draws.pick(ACCEPTED);
  if (draws.chance(0.1)) headers["accept-encoding"] = draws.pick(ENCODINGS);
  if (isSpoiled && draws.chance(0.05)) {
    headers["if-none-match"] = String(values.hostile()).replace(/[^ -~]/g, "");
  }
  return headers;
}

function bodyOf(value: Json, values: Values, isSpoiled: boolean): string {
  if (!isSpoiled) return JSON.stringify(value);
  const body = JSON.stringify(spoiled(value, values)) ?? "";
  return values.draws.chance(0.15) ? damaged(body, values.draws) : body;
}

function queryOf(parameters: readonly Json[], values: Values, isSpoiled: boolean): string {
  const { draws } = values;
  const given: [string, Json][] = chosen(parameters, draws)
    .filter(({ required }) => (required ? !isSpoiled || draws.chance(0.9) : draws.chance(0.3)))
    .map(({ name, schema }) => [name, values.of(schema, name)]);
  if (isSpoiled) {
    if (given.length > 0 && draws.chance(0.7)) draws.pick(given)[1] = values.hostile();
    if (given.length > 0 && draws.chance(0.15)) given.push([draws.pick(given)[0], values.hostile()]);
    if (draws.chance(0.15)) given.push([String(values.hostile()).slice(0, 40), "1"]);
  }
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, asText(value)]),
  ).toString();
  return isSpoiled && draws.chance(0.1) ? damaged(query, draws).replace(/[^!-~]/g, "%") : query;
}

/**
 * Name of the parameter with a list of subscriptions. A request with this parameter must not have the
 * parameters of a single subscription.
 */
const ALONE = "subscriptions";

function chosen<T extends { name: string }>(parameters: readonly T[], draws: Draws): readonly T[] {
  const alone = parameters.find(({ name }) => name === ALONE);
  return alone !== undefined && draws.chance(0.6) ? [{ ...alone, required: true }] : parameters;
}

function asText(value: Json): string {
  if (Array.isArray(value)) return value.map(asText).join();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns a copy of a body in which one value is replaced, or one field is removed or added. */
function spoiled(value: Json, values: Values): Json {
  const { draws } = values;
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (names.length === 0 || draws.chance(0.15)) return values.hostile();
  const copy = structuredClone(value);
  const name = draws.pick(names);
  const choice = draws.size(1, 8);
  if (choice === 1 && !Array.isArray(copy)) delete copy[name];
  else if (choice === 2 && !Array.isArray(copy)) copy[String(values.hostile()).slice(0, 40)] = 1;
  else copy[name] = spoiled(copy[name], values);
  return copy;
}

/** Returns a string that is cut short or has one character replaced. */
function damaged(text: string, draws: Draws): string {
  const at = draws.size(1, Math.max(1, text.length)) - 1;
  return draws.chance(0.5)
    ? text.slice(0, at)
    : `${text.slice(0, at)}${draws.pick(["{", "\u0001", '"', "%", "&&", ","])}${text.slice(at + 1)}`;
}

/** Makes values that fit a schema. */
class Values {
  readonly draws: Draws;
  readonly #document: Json;
  readonly #known: KnownValues;

  constructor(draws: Draws, document: Json, known: KnownValues) {
    this.draws = draws;
    this.#document = document;
    this.#known = known;
  }

  hostile(): Json {
    return this.draws.pick(HOSTILE);
  }

  of(described: Json, name: string): Json {
    const { draws } = this;
    const schema = resolved(this.#document, described);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.of(draws.pick(choices), name);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#choice(schema.enum, name);
    if (schema.default !== undefined && draws.chance(0.2)) return schema.default;
    return this.#ofType(schema, name);
  }

  /**
   * Picks a value of an enum. For `groupby`, mostly picks a column of addresses, because the values of `eq`
   * are addresses.
   */
  #choice(choices: readonly Json[], name: string): Json {
    const { draws } = this;
    const addresses = choices.filter((choice) => name === "groupby" && /_address$/.test(String(choice)));
    return draws.pick(addresses.length > 0 && draws.chance(0.8) ? addresses : choices);
  }

  #ofType(schema: Json, name: string): Json {
    const { draws } = this;
    switch (Array.isArray(schema.type) ? draws.pick(schema.type) : schema.type) {
      case "array":
        return this.#array(schema, name);
      case "object":
        return this.#object(schema);
      case "boolean":
        return draws.chance(0.5);
      case "integer":
      case "number":
        return this.#number(schema, name);
      case "string":
        return this.#text(schema, name);
      case "null":
        return null;
      default:
        return this.hostile();
    }
  }

  #array({ items = {}, minItems = 1, maxItems = 5 }: Json, name: string): Json[] {
    const { draws } = this;
    const most = Math.min(maxItems, draws.chance(0.02) ? 200 : 5);
    const length = draws.size(Math.max(1, minItems), Math.max(1, most));
    return Array.from({ length }, () => this.of(items, name));
  }

  #object({ properties = {}, required = [] }: Json): Json {
    const all = Object.keys(properties).map((name) => ({ name, required: required.includes(name) }));
    const names = chosen(all, this.draws).filter((one) => one.required || this.draws.chance(0.3));
    return Object.fromEntries(names.map(({ name }) => [name, this.of(properties[name], name)]));
  }

  #number({ type, minimum = -1e6, maximum = 1e9 }: Json, name: string): number {
    const { draws } = this;
    if (/timestamp|^from$|^to$/.test(name) && draws.chance(0.8)) {
      return draws.pick(this.#known.times) + draws.pick([-1, 1]) * draws.size(1, 1e6);
    }
    // The blocks are old, so with a lower limit, the service would refuse every request.
    if (name === "max_lag" && draws.chance(0.9)) return maximum;
    if (draws.chance(0.1)) return draws.pick([minimum, maximum]);
    const value = draws.size(1, Math.max(1, Math.min(maximum, 1e6)));
    return Math.max(minimum, type === "number" && name !== "eq" ? value / 3 : value);
  }

  #text({ pattern, minLength = 0, maxLength = 1_000, default: usual }: Json, name: string): string {
    const { draws } = this;
    if (usual !== undefined && draws.chance(0.3)) return usual;
    const named = this.#named(name);
    if (named !== null && draws.chance(0.95)) return named;
    if (pattern !== undefined) return this.#matching(new RegExp(pattern, "u"));
    return draws.pick(this.#known.texts).padEnd(minLength, "x").slice(0, maxLength);
  }

  /**
   * Returns a value for a parameter whose schema does not say what the value must be, by the parameter's
   * name. Returns null for other parameters.
   */
  #named(name: string): string | null {
    const { draws } = this;
    const known = this.#known;
    if (name === "chain") return "eth";
    if (name === "symbol") return draws.pick(known.symbols);
    if (name === "type") return draws.pick(["blocks", "trades", "transfers", "pools", "token"]);
    if (name === "eq") return draws.pick(known.addresses);
    if (name === "subscriptions") return draws.pick(SUBSCRIPTIONS);
    if (name === "resolution") return draws.pick(["1", "5", "60", "1D", "1W", "1M", "240"]);
    if (name === "query" && draws.chance(0.5)) return draws.pick(known.statements);
    return /interval|window|lookback|_age$/.test(name) ? this.#duration() : null;
  }

  #duration(): string {
    return `${this.draws.size(1, 100)}${this.draws.pick(["m", "h", "d"])}`;
  }

  #matching(pattern: RegExp): string {
    const { addresses, hashes } = this.#known;
    const candidates = [this.draws.pick(addresses), this.draws.pick(hashes), this.#duration(), "all", "1"];
    const matching = candidates.filter((text) => pattern.test(text));
    return matching.length === 0 ? this.hostile() : this.draws.pick(matching);
  }
}
