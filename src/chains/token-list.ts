import { z } from "zod";
import { BaseError } from "../lib/error.ts";
import { type Hex, isHex } from "../lib/hex.ts";
import type { Token } from "../schema/swap.ts";
import { MAX_DECIMALS, storedTokenText } from "../schema/token-text.ts";

/** Metadata that a user provides for tokens whose contracts do not reveal it, by token address. */
export type TokenList = ReadonlyMap<Hex, Token>;

export const NO_TOKENS: TokenList = new Map();

const tokens = z.array(z.looseObject({ chainId: z.int().min(1) }));

/** The format has more fields. Only these are used. */
const token = z.object({
  address: z
    .string()
    .refine((text): text is Hex => isHex(text, 20), { error: "expected an address of 20 bytes" })
    .transform((text) => text.toLowerCase() as Hex),
  symbol: z.string().transform(storedTokenText),
  name: z.string().transform(storedTokenText),
  decimals: z.int().min(0).max(MAX_DECIMALS),
}) satisfies z.ZodType<Token>;

/**
 * Reads a list as defined by https://tokenlists.org (the JSON of Uniswap's token lists). Leaves out the
 * tokens of other chains.
 *
 * @param name name of the list, for messages
 * @throws InvalidTokenList
 */
export function parseTokenList(text: string, name: string, chainId: number): TokenList {
  const all = checked(tokens, listedIn(text, name), name);
  const listed = new Map<Hex, Token>();
  for (const [i, entry] of all.entries()) {
    if (entry.chainId !== chainId) continue;
    const read = checked(token, entry, name, [i]);
    const other = listed.get(read.address);
    if (other !== undefined && !isSameMetadata(other, read))
      throw new InvalidTokenList(name, `it lists ${read.address} twice, with different values`);
    listed.set(read.address, read);
  }
  if (listed.size === 0) throw new InvalidTokenList(name, `it has no token of the chain with id ${chainId}`);
  return listed;
}

/** Merges lists. If a token is in several lists, the first list applies. */
export function mergeTokenLists(lists: readonly TokenList[]): TokenList {
  return new Map(lists.toReversed().flatMap((list) => [...list]));
}

/**
 * Returns the tokens. Fields that their contracts do not reveal are filled in from the list, if it has them.
 */
export function completeTokens(found: readonly Token[], list: TokenList): Token[] {
  return found.map(({ address, symbol, name, decimals }) => {
    const listed = list.get(address);
    return {
      address,
      symbol: symbol ?? listed?.symbol ?? null,
      name: name ?? listed?.name ?? null,
      decimals: decimals ?? listed?.decimals ?? null,
    };
  });
}

function listedIn(text: string, name: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new InvalidTokenList(name, "it is not JSON", cause);
  }
  if (typeof json === "object" && json !== null && "tokens" in json) return json.tokens;
  throw new InvalidTokenList(name, 'it has no "tokens"');
}

function checked<S extends z.ZodType>(
  schema: S,
  value: unknown,
  name: string,
  path: PropertyKey[] = [],
): z.output<S> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const place = ["tokens", ...path, ...(issue?.path ?? [])].join(".");
  throw new InvalidTokenList(name, `${place}: ${issue?.message ?? "invalid"}`);
}

export function isSameMetadata(a: Token, b: Token): boolean {
  return a.symbol === b.symbol && a.name === b.name && a.decimals === b.decimals;
}

/** A token list cannot be used. The error code is `bad-config`. */
export class InvalidTokenList extends BaseError {
  constructor(name: string, problem: string, cause?: unknown) {
    super(
      "bad-config",
      `--tokens ${name}: ${problem}. Give a token list as defined by https://tokenlists.org: ` +
        '{"tokens": [{"chainId": 1, "address": "0x…", "symbol": "…", "name": "…", "decimals": 18}]}.',
      { cause },
    );
  }
}
