import { BaseError } from "../../lib/error.ts";
import { preview } from "./preview.ts";

/** The context on which the meaning of a parameter's value may depend. */
export interface RequestContext {
  method: "GET" | "POST";
  /** Unix seconds; the same moment for the whole request. */
  now: number;
  /** Names of the configured chains. */
  chains: readonly string[];
}

/** A kind of value whose check may depend on the request; every `DescribedKind` is one. */
export interface ParameterKind<T> {
  /** Completes "expected ..." in the error message for a value of the wrong kind. */
  allowed(given: unknown, context: RequestContext): string;
  /** Returns the canonical value; undefined if the given one is of the wrong kind. */
  parse(given: unknown, context: RequestContext): T | undefined;
  /**
   * Completes "got ..." in the same message if a preview of the whole value would not show the problem.
   */
  fault?(given: unknown): string;
  /** JSON schema of the canonical form, for OpenAPI. */
  schema: Record<string, unknown>;
  /** JSON schema for GET, for kinds whose limit is lower in a URL than in a body. */
  schemaOnGet?: Record<string, unknown>;
}

/** A default that is not a constant: the time of the request. */
export const CURRENT_TIME = Symbol("current time");

export interface Parameter<T> {
  kind: ParameterKind<T>;
  doc: string;
  required: boolean;
  /**
   * The default as a client would write it; it is parsed like a given value. Without a default, the value may
   * be undefined.
   */
  fallback?: string | number | boolean | typeof CURRENT_TIME;
}

export type Parameters = Record<string, Parameter<unknown>>;

/** The values of an endpoint's parameters, as its handler receives them. */
export type Values<P extends Parameters> = {
  [N in keyof P]: P[N] extends Parameter<infer T> ? T : never;
};

export function required<T>(kind: ParameterKind<T>, doc: string): Parameter<T> {
  return { kind, doc, required: true };
}

export function optional<T>(
  kind: ParameterKind<T>,
  fallback: string | number | boolean | typeof CURRENT_TIME,
  doc: string,
): Parameter<T> {
  return { kind, doc, required: false, fallback };
}

/**
 * Declares an optional parameter without a default: the handler receives undefined if the parameter is
 * absent.
 */
export function derived<T>(kind: ParameterKind<T>, doc: string): Parameter<T | undefined> {
  return { kind, doc, required: false };
}

/**
 * Reads an endpoint's parameters. Undeclared ones are ignored, because clients of other versions may send
 * more.
 *
 * @param given query parameters, or the fields of the JSON body
 * @throws MissingParameter, InvalidParameter
 */
export function readParameters<P extends Parameters>(
  parameters: P,
  given: Record<string, unknown>,
  context: RequestContext,
): Values<P> {
  const values = Object.entries(parameters).map(([name, parameter]) => {
    const value = Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined;
    return [name, readParameter(name, parameter, value, context)];
  });
  return Object.fromEntries(values) as Values<P>;
}

function readParameter<T>(
  name: string,
  { kind, required, fallback }: Parameter<T>,
  given: unknown,
  context: RequestContext,
): T {
  if (required && (given === undefined || given === "")) throw new MissingParameter(name);
  const raw = given === undefined ? fallback : given;
  if (raw === undefined) return undefined as T;
  const value = kind.parse(raw === CURRENT_TIME ? context.now : raw, context);
  if (value !== undefined) return value;
  throw new InvalidParameter(name, kind.fault?.(raw) ?? preview(raw), kind.allowed(raw, context));
}

class MissingParameter extends BaseError {
  constructor(name: string) {
    super("bad-input", `Missing required parameter: ${name}`);
  }
}

/** A parameter whose value is not allowed, by itself or in combination with other parameters. */
export class InvalidParameter extends BaseError {
  /** @param scope restricts what is allowed, e.g. `for groupby=side` */
  constructor(name: string, given: string, allowed: string, scope?: string) {
    const rule = scope === undefined ? ", expected" : `; ${scope}, expected`;
    super("bad-input", `Invalid parameter ${name}: got ${given}${rule} ${allowed}.`);
  }
}
