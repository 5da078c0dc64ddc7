import { ADDRESS, HASH } from "../../../reads/values/hex-values.ts";
import { search } from "../../endpoints/search/search.ts";
import { choice, text } from "../../parameters/kinds/words.ts";
import { optional, readParameters, required } from "../../parameters/parameter.ts";
import { printTable, tableOf } from "../answer.ts";
import { CURSOR, listPage } from "../cursor.ts";
import { ChainSearch, MAX_MATCHES } from "../find/chain-search.ts";
import { findAddress, findHash, findPoolsOf } from "../find/find-address.ts";
import { findNamed } from "../find/find-named.ts";
import { FOUND_COLUMNS, type Found } from "../find/found.ts";
import { OWN_PARAMETERS } from "../own-parameters.ts";
import { chainIn, only, TOOL_CHAIN, type Tool } from "../tool.ts";

const NAME = "find";

/** Maximum length of a search text; symbols and names are shorter. */
const MAX_QUERY = 80;

/** Maximum printed length of a name: anyone can give a token a name of any length. */
const MAX_NAME = 60;

/** Maximum number of results in an answer. */
const MAX_RESULTS = 20;

const own = {
  query: required(
    text("a symbol, a name, a pair such as WETH/USDC, an address or a 32-byte id"),
    "token symbol or name, pair such as WETH/USDC, start of a token's address, address of a token, pool or wallet, V4 pool id or transaction hash",
  ),
  kind: optional(
    choice(["any", "token", "pool", "wallet"]),
    "any",
    "pool also finds the pools of a token by its symbol",
  ),
  cursor: CURSOR,
};

export const find: Tool = {
  name: NAME,
  title: "Find tokens, pools and wallets",
  description: `Tokens, pools and wallets by name, symbol, pair or address: at most ${MAX_RESULTS} per page, best match first, then highest volume_usd_24h (USD, last 24 hours). Spam tokens come last with the reasons in \`spam\`: anyone can choose any name or symbol, so check volume and spam before you trust a match.`,
  parameters: { ...own, chain: TOOL_CHAIN, ...only(search.parameters, ["max_lag"]) },
  async run(given, ask) {
    const { query, kind } = readParameters(own, given, OWN_PARAMETERS);
    const page = listPage(NAME, given.cursor, "results");
    const chain = chainIn(given);
    const chainSearch = new ChainSearch(chain, given.max_lag, ask);
    const matches = await findAny(query.trim().slice(0, MAX_QUERY).toLowerCase(), kind, chainSearch);
    const wanted = matches.filter((match) => kind === "any" || match.kind === kind);
    // The search for one address may find many pools of which only one is wanted.
    const isLimited = chainSearch.isLimited && wanted.length >= MAX_MATCHES;
    const as_of = chainSearch.asOf;
    const rest = wanted.slice(page.offset);
    return printTable({
      facts: { chain, as_of, ...page.noteAt(as_of) },
      ...tableOf(rest.slice(0, MAX_RESULTS).map(shortened), FOUND_COLUMNS),
      hasMore: isLimited || rest.length > MAX_RESULTS,
      narrow: "Give a longer name, or an address.",
      cursorAfter: (kept) => (kept < rest.length ? page.cursorAfter(kept, as_of) : null),
    });
  },
};

function findAny(query: string, kind: string, chainSearch: ChainSearch): Promise<Found[]> {
  const hex = query.startsWith("0x") ? query : `0x${query}`;
  const address = ADDRESS.parse(hex);
  if (address !== undefined)
    return kind === "pool" ? findPoolsOf(address, chainSearch) : findAddress(address, chainSearch);
  const hash = HASH.parse(hex);
  return hash === undefined ? findNamed(query, kind, chainSearch) : findHash(hash, chainSearch);
}

function shortened(match: Found): Record<string, unknown> {
  return { ...match, symbol: short(match.symbol), name: short(match.name) };
}

function short(name: string | null): string | null {
  return name !== null && name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
