import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TokenFacts } from "../../serving/tokens/token-facts.ts";
import { MAX_WALLET_TRADES, WalletPositions } from "../../serving/wallets/wallet-positions.ts";
import { readCurrentPrices } from "../prices/current-prices.ts";
import { outdated, type Snapshot } from "../snapshot/snapshot.ts";
import { readTokenFacts } from "../trades/token-facts.ts";
import { type TokenPerformance, valued, type WalletPerformance, WalletSum } from "./wallet-performance.ts";
import { countTrades, readNewestPositions, readPositions } from "./wallet-trades.ts";

/** Maximum number of wallets in one batch. */
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

/** Reads the totals of wallets in the requested order, as many as fit into one answer. */
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
      chosen.map((wallet) => [
        wallet,
        totalsOf(found.get(wallet) ?? NO_POSITIONS, priceIn(prices), excluded),
      ]),
    ),
    remainder: wallets.filter((wallet) => !isChosen.has(wallet)),
  };
}

interface ChosenWallets {
  chosen: readonly Hex[];
  found: Map<Hex, WalletPositions>;
}

/**
 * Reads the positions of as many wallets as fit. Assumes that all fit, as they usually do; counts their
 * trades only if they do not.
 */
async function readFitting(snapshot: Snapshot, wallets: readonly Hex[]): Promise<ChosenWallets> {
  const all = await readPositions(snapshot, wallets, MAX_WALLET_TRADES);
  if (all !== null) return { chosen: wallets, found: all };
  const counts = await countTrades(snapshot, wallets);
  const chosen = chooseWallets(wallets, (wallet) => counts.get(wallet) ?? 0);
  const found = await readPositions(snapshot, chosen, MAX_WALLET_TRADES);
  if (found === null) throw outdated(snapshot);
  return { chosen, found };
}

/**
 * Chooses wallets in the requested order until one does not fit. Skips a wallet that is too large for any
 * answer, so that clients that request the remainder still get the wallets after it.
 */
export function chooseWallets(wallets: readonly Hex[], tradesOf: (wallet: Hex) => number): Hex[] {
  const chosen: Hex[] = [];
  let total = 0;
  for (const wallet of wallets) {
    const trades = tradesOf(wallet);
    if (trades > MAX_WALLET_TRADES) continue;
    total += trades;
    if (total > MAX_WALLET_TRADES) break;
    chosen.push(wallet);
  }
  return chosen;
}

export interface WalletQuery {
  wallet: Hex;
  /** Whether the chain's stablecoins are excluded. */
  totalExclude: boolean;
  /** If a wallet has too many trades: true uses the newest ones, false throws. */
  maxSizeOk: boolean;
}

/** Reads the totals of one wallet. @throws TooManyTrades */
export async function readTotals(snapshot: Snapshot, query: WalletQuery): Promise<WalletTotals> {
  const positions = await readPositionsOf(snapshot, query);
  const excluded = query.totalExclude ? snapshot.chain.stableCoins : [];
  const prices = await readPricesFor(snapshot, [positions]);
  return totalsOf(positions, priceIn(prices), excluded);
}

/** A wallet's performance with one token, and the token's symbol and name. */
export interface NamedPerformance extends TokenPerformance {
  tokenAddress: Hex;
  tokenSymbol: string | null;
  tokenName: string | null;
}

/**
 * Reads a wallet's performance token by token: the largest total profit first, unknown profits last.
 *
 * @throws TooManyTrades
 */
export async function readPerToken(snapshot: Snapshot, query: WalletQuery): Promise<NamedPerformance[]> {
  const positions = await readPositionsOf(snapshot, query);
  const excluded = query.totalExclude ? snapshot.chain.stableCoins : [];
  const tokens = positions.tokens.filter((token) => !excluded.includes(token));
  const [prices, facts] = await Promise.all([
    readCurrentPrices(snapshot, tokens),
    readTokenFacts(snapshot, tokens),
  ]);
  return perToken(positions, excluded, {
    priceOf: priceIn(prices),
    factsOf: (token) => facts.get(token) ?? null,
  });
}

/** @param excluded tokens that are left out */
export function perToken(
  positions: WalletPositions,
  excluded: readonly Hex[],
  { priceOf, factsOf }: { priceOf: PriceOf; factsOf(token: Hex): TokenFacts | null },
): NamedPerformance[] {
  const performances: NamedPerformance[] = [];
  positions.forEach((tokenAddress, position) => {
    if (excluded.includes(tokenAddress)) return;
    const { tokenSymbol = null, tokenName = null } = factsOf(tokenAddress) ?? {};
    performances.push({ ...valued(position, priceOf(tokenAddress)), tokenAddress, tokenSymbol, tokenName });
  });
  return performances.sort(byProfit);
}

function byProfit(a: NamedPerformance, b: NamedPerformance): number {
  const order = (b.totalProfit ?? -Infinity) - (a.totalProfit ?? -Infinity);
  return order || (a.tokenAddress < b.tokenAddress ? -1 : 1);
}

async function readPositionsOf(
  snapshot: Snapshot,
  { wallet, maxSizeOk }: WalletQuery,
): Promise<WalletPositions> {
  const maxTrades = MAX_WALLET_TRADES;
  const all = await readPositions(snapshot, [wallet], maxTrades);
  if (all !== null) return all.get(wallet) ?? NO_POSITIONS;
  if (!maxSizeOk) throw new TooManyTrades(wallet);
  return readNewestPositions(snapshot, wallet, maxTrades);
}

/** Reads the prices of the tokens that are still held. */
function readPricesFor(snapshot: Snapshot, wallets: readonly WalletPositions[]): Promise<Map<Hex, number>> {
  const held = new Set<Hex>();
  for (const positions of wallets) {
    positions.forEach((token, { balance }) => {
      if (balance > 0) held.add(token);
    });
  }
  return readCurrentPrices(snapshot, [...held]);
}

/** Returns a token's latest robust price, USD per token; null if unknown. */
type PriceOf = (token: Hex) => number | null;

function priceIn(prices: ReadonlyMap<Hex, number>): PriceOf {
  return (token) => prices.get(token) ?? null;
}

export const NO_POSITIONS = new WalletPositions();

/** @param excluded tokens that are left out of the totals */
export function totalsOf(
  positions: WalletPositions,
  priceOf: PriceOf,
  excluded: readonly Hex[],
): WalletTotals {
  const sum = new WalletSum();
  positions.forEach((token, position) => {
    if (excluded.includes(token)) return;
    // Tokens that are no longer held need no price.
    sum.add(position, position.balance > 0 ? priceOf(token) : null);
  });
  return { ...sum.performance, excluded: excluded.filter((token) => positions.has(token)) };
}

class TooManyTrades extends BaseError {
  constructor(wallet: Hex) {
    super(
      "too-large",
      `Wallet ${wallet} has more than ${MAX_WALLET_TRADES} trades. With max_size_ok=true, the answer covers the newest ${MAX_WALLET_TRADES} of them.`,
    );
  }
}
