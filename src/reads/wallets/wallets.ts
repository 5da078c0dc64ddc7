import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { readCurrentPrices } from "../prices/current-prices.ts";
import { outdated, type Snapshot } from "../snapshot/snapshot.ts";
import { readTokenNames } from "../trades/token-names.ts";
import {
  type Holding,
  type Position,
  type TokenPerformance,
  valued,
  type WalletPerformance,
  walletPerformance,
} from "./wallet-performance.ts";
import { countTrades, type Positions, readNewestPositions, readPositions } from "./wallet-trades.ts";

/** Trades in one answer: 6 MB, which take half a second. */
export const MAX_WALLET_TRADES = 100_000;

/** Wallets in one batch. */
export const MAX_WALLETS = 1_000;

/** A wallet's totals, and the tokens excluded from them on request. */
export interface WalletTotals extends WalletPerformance {
  excluded: Hex[];
}

export interface BatchTotals {
  wallets: Map<Hex, WalletTotals>;
  /** Wallets beyond the limits of one answer, in the requested order. */
  remainder: Hex[];
}

/** The totals of the first of several wallets that fit into one answer, in the requested order. */
export async function readBatchTotals(
  snapshot: Snapshot,
  wallets: readonly Hex[],
  totalExclude: boolean,
): Promise<BatchTotals> {
  const { chosen, found } = await readFitting(snapshot, wallets.slice(0, MAX_WALLETS));
  const excluded = totalExclude ? snapshot.chain.stableCoins : [];
  const prices = await readPricesFor(snapshot, [...found.values()]);
  const isChosen = new Set(chosen);
  return {
    wallets: new Map(
      chosen.map((wallet) => [wallet, totalsOf(found.get(wallet) ?? new Map(), prices, excluded)]),
    ),
    remainder: wallets.filter((wallet) => !isChosen.has(wallet)),
  };
}

interface ChosenWallets {
  chosen: readonly Hex[];
  found: Map<Hex, Positions>;
}

/** Usually all wallets fit; their trades are counted only if they do not. */
async function readFitting(snapshot: Snapshot, wallets: readonly Hex[]): Promise<ChosenWallets> {
  const all = await readPositions(snapshot, wallets, MAX_WALLET_TRADES);
  if (all !== null) return { chosen: wallets, found: all };
  const chosen = chooseWallets(wallets, await countTrades(snapshot, wallets));
  const found = await readPositions(snapshot, chosen, MAX_WALLET_TRADES);
  if (found === null) throw outdated(snapshot);
  return { chosen, found };
}

/**
 * Wallets in the requested order until one does not fit. Skips a wallet that is too large for any answer, so
 * that clients that request the remainder still get the wallets after it.
 */
function chooseWallets(wallets: readonly Hex[], counts: ReadonlyMap<Hex, number>): Hex[] {
  const chosen: Hex[] = [];
  let total = 0;
  for (const wallet of wallets) {
    const trades = counts.get(wallet) ?? 0;
    if (trades > MAX_WALLET_TRADES) continue;
    total += trades;
    if (total > MAX_WALLET_TRADES) break;
    chosen.push(wallet);
  }
  return chosen;
}

export interface WalletQuery {
  wallet: Hex;
  /** Leaves out the chain's stable coins. */
  totalExclude: boolean;
  /** If a wallet has too many trades: true uses the newest, false is an error. */
  maxSizeOk: boolean;
}

/** The totals of one wallet. @throws TooManyTrades */
export async function readTotals(snapshot: Snapshot, query: WalletQuery): Promise<WalletTotals> {
  const positions = await readPositionsOf(snapshot, query);
  const excluded = query.totalExclude ? snapshot.chain.stableCoins : [];
  const prices = await readPricesFor(snapshot, [positions]);
  return totalsOf(positions, prices, excluded);
}

/** A wallet's performance with one token, and the token's names. */
export interface NamedPerformance extends TokenPerformance {
  tokenAddress: Hex;
  tokenSymbol: string | null;
  tokenName: string | null;
}

/**
 * A wallet's performance token by token: the largest total profit first, unknown profits last. @throws
 * TooManyTrades
 */
export async function readPerToken(snapshot: Snapshot, query: WalletQuery): Promise<NamedPerformance[]> {
  const positions = await readPositionsOf(snapshot, query);
  if (query.totalExclude) for (const token of snapshot.chain.stableCoins) positions.delete(token);
  const tokens = [...positions.keys()];
  const [prices, names] = await Promise.all([
    readCurrentPrices(snapshot, tokens),
    readTokenNames(snapshot, tokens),
  ]);
  const performances = [...positions].map(([tokenAddress, position]) => ({
    ...valued(position, prices.get(tokenAddress) ?? null),
    tokenAddress,
    tokenSymbol: names.get(tokenAddress)?.tokenSymbol ?? null,
    tokenName: names.get(tokenAddress)?.tokenName ?? null,
  }));
  return performances.sort(byProfit);
}

function byProfit(a: NamedPerformance, b: NamedPerformance): number {
  const order = (b.totalProfit ?? -Infinity) - (a.totalProfit ?? -Infinity);
  return order || (a.tokenAddress < b.tokenAddress ? -1 : 1);
}

async function readPositionsOf(snapshot: Snapshot, { wallet, maxSizeOk }: WalletQuery): Promise<Positions> {
  const maxTrades = MAX_WALLET_TRADES;
  const all = await readPositions(snapshot, [wallet], maxTrades);
  if (all !== null) return all.get(wallet) ?? new Map();
  if (!maxSizeOk) throw new TooManyTrades(wallet);
  return readNewestPositions(snapshot, wallet, maxTrades);
}

/** Prices of the tokens that are still held; other tokens need none. */
function readPricesFor(snapshot: Snapshot, wallets: readonly Positions[]): Promise<Map<Hex, number>> {
  const held = new Set<Hex>();
  for (const positions of wallets) {
    for (const [token, { balance }] of positions) if (balance > 0) held.add(token);
  }
  return readCurrentPrices(snapshot, [...held]);
}

/** @param excluded tokens that do not count */
function totalsOf(
  positions: ReadonlyMap<Hex, Position>,
  prices: ReadonlyMap<Hex, number>,
  excluded: readonly Hex[],
): WalletTotals {
  const holdings = holdingsOf(positions, prices, excluded);
  return { ...walletPerformance(holdings), excluded: excluded.filter((token) => positions.has(token)) };
}

function* holdingsOf(
  positions: ReadonlyMap<Hex, Position>,
  prices: ReadonlyMap<Hex, number>,
  excluded: readonly Hex[],
): Generator<Holding> {
  for (const [token, position] of positions) {
    if (!excluded.includes(token)) yield { position, currentPrice: prices.get(token) ?? null };
  }
}

class TooManyTrades extends BaseError {
  constructor(wallet: Hex) {
    super(
      "too-large",
      `Wallet ${wallet} has more than ${MAX_WALLET_TRADES} trades. With max_size_ok=true the answer covers the newest ${MAX_WALLET_TRADES} of them.`,
    );
  }
}
