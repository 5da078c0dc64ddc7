import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { volumeOf } from "../prices/exact-volume.ts";
import type { PriceChange } from "../prices/price-changes.ts";
import { pricedToken } from "../trades/priced-token.ts";
import type { PoolListing, ScreenFacts } from "./screen-facts.ts";
import { type Candidate, isWithin, type ScreenQuery, type ScreenSort, uses } from "./screen-query.ts";

/** A token or pool in a list. */
export interface ScreenRow extends Omit<Candidate, "volumeUnits"> {
  chain: string;
  volumeUsd: number | null;
  /** The token itself, or the known tokens of the pool, in the pool's order. */
  tokens: readonly Hex[];
  symbols: readonly (string | null)[];
  /**
   * The token whose price is shown: the token itself, or one of the pool's tokens; null if the pool has no
   * known token.
   */
  priced: Hex | null;
  /** Further facts: the name for a token, the protocol and fee for a pool. */
  name: string | null;
  pool: Pick<PoolListing, "protocol" | "fee"> | null;
  createdAt: number | null;
  /** Spam reasons of the token, or of the pool's first token that is spam. */
  spamReasons: string | null;
  priceUsd: number | null;
  changePct: number | null;
  liquidityUsd: number | null;
}

/** The rows of a list, in the list's order. */
export interface ListedRows {
  rows: ScreenRow[];
  /** Number of candidates that meet the filters but are spam. */
  hiddenSpam: number;
}

/** Returns the rows of the candidates that are known, without prices and liquidity. */
export function rowsOf(
  chain: Chain,
  { kind }: Pick<ScreenQuery, "kind">,
  candidates: readonly Candidate[],
  facts: ScreenFacts,
): ScreenRow[] {
  const rowOf = kind === "token" ? tokenRow : poolRow;
  return candidates.map((one) => rowOf(chain, one, facts)).filter((row) => row !== null);
}

/**
 * Filters and sorts the rows of a list. Adds prices and liquidity only if these decide which rows are listed,
 * or their order.
 */
export function listRows(query: ScreenQuery, rows: readonly ScreenRow[], facts: ScreenFacts): ListedRows {
  const matching = rows
    .map((row) => (uses(query, "price_change_pct") ? withChange(row, facts) : row))
    .map((row) => (uses(query, "liquidity_usd") ? withLiquidity(row, facts) : row))
    .filter((row) => meetsFilters(row, query));
  const shown = matching.filter(({ spamReasons }) => query.showsSpam || spamReasons === null);
  return { rows: shown.sort(inOrder(query)), hiddenSpam: matching.length - shown.length };
}

/** Adds price, change and liquidity to a row. */
export function withFigures(row: ScreenRow, facts: ScreenFacts): ScreenRow {
  return withLiquidity(withChange(row, facts), facts);
}

function tokenRow(chain: Chain, candidate: Candidate, facts: ScreenFacts): ScreenRow {
  const { subject: token } = candidate;
  const { symbol = null, name = null, createdAt = null, spamReasons = null } = facts.token(token) ?? {};
  return {
    ...figuresOf(chain, candidate),
    ...{ tokens: [token], symbols: [symbol], priced: token, name, pool: null, createdAt, spamReasons },
  };
}

function poolRow(chain: Chain, candidate: Candidate, facts: ScreenFacts): ScreenRow | null {
  const listing = facts.pool(candidate.subject);
  if (listing === null) return null;
  const { tokens, createdAt, protocol, fee } = listing;
  const listings = tokens.map((token) => facts.token(token));
  return {
    ...figuresOf(chain, candidate),
    ...{ tokens, createdAt, name: null, pool: { protocol, fee } },
    symbols: listings.map((token) => token?.symbol ?? null),
    priced: pricedToken(tokens, chain),
    spamReasons: listings.find((token) => token?.spamReasons)?.spamReasons ?? null,
  };
}

function figuresOf({ name: chain }: Chain, { volumeUnits, ...figures }: Candidate) {
  const volumeUsd = volumeUnits === null ? null : volumeOf(volumeUnits);
  return { ...figures, chain, volumeUsd, priceUsd: null, changePct: null, liquidityUsd: null };
}

function withChange(row: ScreenRow, facts: ScreenFacts): ScreenRow {
  const change = row.priced === null ? null : facts.change(row.priced);
  return { ...row, priceUsd: change?.close ?? null, changePct: percentOf(change) };
}

/** Returns a change in percent; null for a change from zero, and for one beyond the range of doubles. */
function percentOf(change: PriceChange | null): number | null {
  if (change === null) return null;
  const percent = ((change.close - change.open) / change.open) * 100;
  return Number.isFinite(percent) ? percent : null;
}

function withLiquidity(row: ScreenRow, facts: ScreenFacts): ScreenRow {
  return { ...row, liquidityUsd: row.mainPool === null ? null : facts.liquidityUsd(row.mainPool) };
}

function meetsFilters(row: ScreenRow, { filters }: ScreenQuery): boolean {
  return (
    isWithin(row.changePct, filters.price_change_pct) && isWithin(row.liquidityUsd, filters.liquidity_usd)
  );
}

const SORT_VALUES: Record<ScreenSort, (row: ScreenRow) => number | null> = {
  volume_usd: ({ volumeUsd }) => volumeUsd,
  trades: ({ trades }) => trades,
  traders: ({ traders }) => traders,
  price_change_pct: ({ changePct }) => changePct,
  liquidity_usd: ({ liquidityUsd }) => liquidityUsd,
  created_timestamp: ({ createdAt }) => createdAt,
};

/**
 * Returns a function that compares rows, which may be from different chains: by the sort value, with unknown
 * values last, then by volume, then by chain and address.
 */
export function inOrder({ sort, order }: Pick<ScreenQuery, "sort" | "order">) {
  const sortValue = SORT_VALUES[sort];
  const sign = order === "asc" ? 1 : -1;
  return (a: ScreenRow, b: ScreenRow): number =>
    compareKnown(sortValue(a), sortValue(b), sign) ||
    compareKnown(a.volumeUsd, b.volumeUsd, -1) ||
    compareText(a.chain, b.chain) ||
    compareText(a.subject, b.subject);
}

function compareKnown(a: number | null, b: number | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a - b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
