import { readFile, stat } from "node:fs/promises";
import type { Chain } from "../../chains/chain.ts";
import {
  InvalidTokenList,
  mergeTokenLists,
  NO_TOKENS,
  parseTokenList,
  type TokenList,
} from "../../chains/token-list.ts";
import { BaseError } from "../../lib/error.ts";

/** Maximum size of a file. The largest public lists take a few megabytes, with logos and links. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/**
 * Reads the lists of `--tokens`; if a token is in several lists, the first list applies.
 *
 * @throws InvalidTokenList
 */
export async function readTokenLists(
  files: readonly string[] | undefined,
  { chainId }: Chain,
): Promise<TokenList> {
  if (files === undefined) return NO_TOKENS;
  const lists: TokenList[] = [];
  for (const file of files) lists.push(parseTokenList(await readBounded(file), file, chainId));
  return mergeTokenLists(lists);
}

async function readBounded(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw new InvalidTokenList(file, `it has more than ${MAX_FILE_BYTES} bytes`);
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof BaseError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new InvalidTokenList(file, `it cannot be read (${code}); it must be a file on this machine`, cause);
  }
}
