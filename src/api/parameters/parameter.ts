import { BaseError } from "../../lib/error.ts";

/** What reading a parameter may depend on besides its own value. */
export interface Circumstances {
  method: "GET" | "POST";
  /** Unix seconds; one instant a request. */
  now: number;
  /** Names of the configured chains. */
  chains: readonly string[];
}

/** A form that values of parameters can have. */
export interface Kind<T> {
  /** Completes "Allowed is ...". */
  allowed(circumstances: Circumstances): string;
  /** The value behind what was given; undefined when it has the wrong form. */
  read(given: unknown, circumstances: Circumstances): T | undefined;
  /** What is wrong with a value that has parts; otherwise the value itself is shown. */
  fault?(given: unknown): string;
  /** JSON schema of the canonical form, for OpenAPI. */
  schema: Record<string, unknown>;
  /** Where GET allows less than a body does. */
  schemaOnGet?: Record<string, unknown>;
}

/** A default that is not a constant: the time of the request. */
export const CURRENT_TIME = Symbol("current time");

export interface Parameter<T> {
  kind: Kind<T>;
  doc: string;
  required: boolean;
  /** As a client would write it; it is read like any given value. Without one the value may be undefined. */
  fallback?: string | number | boolean | typeof CURRENT_TIME;
}

export type Parameters = Record<string, Parameter<unknown>>;

/** The values of an endpoint's parameters, as its handler sees them. */
export type Values<P extends Parameters> = {
  [N in keyof P]: P[N] extends Parameter<infer T> ? T : never;
};

export function required<T>(kind: Kind<T>, doc: string): Parameter<T> {
  return { kind, doc, required: true };
}

export function optional<T>(
  kind: Kind<T>,
  fallback: string | number | boolean | typeof CURRENT_TIME,
  doc: string,
): Parameter<T> {
  return { kind, doc, required: false, fallback };
}

/** A parameter whose default follows from others: its handler sees that it is not given. */
export function derived<T>(kind: Kind<T>, doc: string): Parameter<T | undefined> {
  return { kind, doc, required: false };
}

/**
 * Reads an endpoint's parameters. What is not declared is ignored: clients of other versions send more.
 *
 * @param given query parameters, or the fields of the JSON body
 * @throws MissingParameter, InvalidParameter
 */
export function readParameters<P extends Parameters>(
  parameters: P,
  given: Record<string, unknown>,
  circumstances: Circumstances,
): Values<P> {
  const values = Object.entries(parameters).map(([name, parameter]) => [
    name,
    readParameter(name, parameter, {
      given: Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined,
      circumstances,
    }),
  ]);
  return Object.fromEntries(values) as Values<P>;
}

function readParameter<T>(
  name: string,
  { kind, required, fallback }: Parameter<T>,
  { given, circumstances }: { given: unknown; circumstances: Circumstances },
): T {
  if (required && (given === undefined || given === "")) throw new MissingParameter(name);
  const raw = given === undefined ? fallback : given;
  if (raw === undefined) return undefined as T;
  const value = kind.read(raw === CURRENT_TIME ? circumstances.now : raw, circumstances);
  if (value === undefined) {
    const fault = kind.fault?.(raw) ?? shown(raw);
    throw new InvalidParameter(name, { fault, allowed: kind.allowed(circumstances) });
  }
  return value;
}

/** What a client gave, short and safe to print; enough to find the mistake. */
export function shown(given: unknown): string {
  const json = jsonOf(given) ?? typeof given;
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
}

/** Values can be nested deeper than the stack reaches: a parser takes levels that a printer cannot follow. */
function jsonOf(given: unknown): string | undefined {
  try {
    return JSON.stringify(given);
  } catch (error) {
    if (error instanceof RangeError) return "a value of too many levels";
    throw error;
  }
}

const MAX_SHOWN = 100;

class MissingParameter extends BaseError {
  constructor(name: string) {
    super("bad-input", `Missing required parameter: ${name}`);
  }
}

class InvalidParameter extends BaseError {
  constructor(name: string, { fault, allowed }: { fault: string; allowed: string }) {
    super("bad-input", `Invalid parameter ${name}: given is ${fault}, allowed is ${allowed}.`);
  }
}
