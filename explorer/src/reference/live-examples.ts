/** The parts of an OpenAPI document that contain examples. */
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

/** Example values by parameter name; null to keep the document's own example. */
export interface ExampleValues {
  token_address: string | null;
  pool_address: string | null;
  wallet_address: string | null;
}

/**
 * Replaces the tokens, pools and wallets in the examples with ones from the indexed chain, so that every
 * example has a result. Removes timestamps, which then default to now.
 */
export function withExamples(document: OpenApi, values: ExampleValues): OpenApi {
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) setParameter(parameter, values);
    for (const body of Object.values(operation.requestBody?.content ?? {})) {
      if (isObject(body.example)) body.example = exampleBody(body.example, values);
    }
  }
  return copy;
}

function setParameter(parameter: Parameter, values: ExampleValues): void {
  const { name, example } = parameter;
  if (name === "timestamp") delete parameter.example;
  else if (example !== undefined) parameter.example = exampleOf(name, example, values);
}

function exampleBody(body: Record<string, unknown>, values: ExampleValues): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => name !== "timestamp")
      .map(([name, value]) => [name, exampleOf(name, value, values)]),
  );
}

function exampleOf(name: string, value: unknown, values: ExampleValues): unknown {
  const replacement = name in values ? values[name as keyof ExampleValues] : null;
  if (replacement === null) return isObject(value) ? exampleBody(value, values) : value;
  return Array.isArray(value) ? [replacement] : replacement;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
