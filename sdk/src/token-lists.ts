import { type AsOf, asOf, oldest } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { ask, type CallOptions, type Question, type Reply } from "./request.ts";

/** The service takes so many tokens in one request. */
export const MAX_TOKENS_PER_REQUEST = 10_000;

interface Items<Item> {
  /** One for each distinct token, in the order of the question. */
  items: Item[];
  /** Of the oldest part where the list was asked for in parts. */
  asOf: AsOf | null;
}

/** Asks about any number of tokens, in parts where the service takes no more, one after the other. */
export async function askAboutTokens<Item>(
  connection: Connection,
  { path, body, ...options }: { path: Question["path"]; body: { token_address: string[] } } & CallOptions,
): Promise<Items<Item>> {
  const replies: Reply<Item[]>[] = [];
  for (const part of parts(body.token_address)) {
    replies.push(await ask(connection, { path, body: { ...body, token_address: part }, ...options }));
  }
  return { items: replies.flatMap((reply) => reply.body), asOf: oldest(replies.map(asOf)) };
}

/** A token counts once, in whatever case it is listed again: in one part the service sees to it, here in all. */
function parts(tokens: readonly string[]): string[][] {
  const distinct = [...new Set(tokens.map((token) => token.trim().toLowerCase()))];
  // An empty list is one part: it is the service's to refuse.
  const count = Math.max(1, Math.ceil(distinct.length / MAX_TOKENS_PER_REQUEST));
  return Array.from({ length: count }, (_, i) =>
    distinct.slice(i * MAX_TOKENS_PER_REQUEST, (i + 1) * MAX_TOKENS_PER_REQUEST),
  );
}
