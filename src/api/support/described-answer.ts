// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has every shape
type Json = any;

/** Follows a reference within a document; returns anything else as it is. */
export function resolved(document: Json, described: Json): Json {
  const path: string | undefined = described?.$ref?.slice("#/".length);
  if (path === undefined) return described;
  return path.split("/").reduce((node: Json, key) => node?.[key], document);
}

/** Returns how an operation of a document describes responses with a status; undefined if it does not. */
export function describedAnswer(document: Json, operation: Json, status: number): Json {
  return resolved(document, operation.responses[status] ?? operation.responses.default);
}
