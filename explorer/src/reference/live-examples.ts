/** The parts of an OpenAPI document that hold examples. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

interface Parameter {
  name: string;
  example?: unknown;
}

/** What a chain knows of, by the names of the parameters that ask for it. Null where it has none. */
export interface Subjects {
  token_address: string | null;
  pool_address: string | null;
  wallet_address: string | null;
}

/**
 * Puts what the chain knows in the place of the examples' tokens, pools and wallets, so that every request answers
 * with something. A time of theirs is left out, which means now.
 */
export function withExamples(document: OpenApi, subjects: Subjects): OpenApi {
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) setParameter(parameter, subjects);
    for (const body of Object.values(operation.requestBody?.content ?? {})) {
      if (isObject(body.example)) body.example = exampleBody(body.example, subjects);
    }
  }
  return copy;
}

function setParameter(parameter: Parameter, subjects: Subjects): void {
  const { name, example } = parameter;
  if (name === "timestamp") delete parameter.example;
  else if (example !== undefined) parameter.example = known(name, example, subjects);
}

function exampleBody(body: Record<string, unknown>, subjects: Subjects): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => name !== "timestamp")
      .map(([name, value]) => [name, known(name, value, subjects)]),
  );
}

function known(name: string, value: unknown, subjects: Subjects): unknown {
  const subject = name in subjects ? subjects[name as keyof Subjects] : null;
  if (subject === null) return isObject(value) ? exampleBody(value, subjects) : value;
  return Array.isArray(value) ? [subject] : subject;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
