import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { readCurrentPrices } from "../prices/current-prices.ts";
import { overtaken, type Snapshot } from "../snapshot/snapshot.ts";
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

/** Of one answer: half a second's work, and 6 MB of trades. */
export const MAX_WALLET_TRADES = 100_000;

/** Of one batch. */
export const MAX_WALLETS = 1_000;

/** A wallet's totals, and the tokens that were left out of them on request. */
export interface WalletTotals extends WalletPerformance {
  excluded: Hex[];
}

export interface BatchTotals {
  wallets: Map<Hex, WalletTotals>;
  /** Wallets that the answer has no room for, in the order asked. */
  remainder: Hex[];
}

/** The totals of several wallets: of as many, in the order asked, as fit into one answer. */
export async function readBatchTotals(
  snapshot: Snapshot,
  { wallets, totalExclude }: { wallets: readonly Hex[]; totalExclude: boolean },
): Promise<BatchTotals> {
  const { chosen, found } = await readFitting(snapshot, wallets.slice(0, MAX_WALLETS));
  const excluded = totalExclude ? snapshot.chain.stableCoins : [];
  const prices = await pricesFor(snapshot, [...found.values()]);
  const isChosen = new Set(chosen);
  return {
    wallets: new Map(
      chosen.map((wallet) => [wallet, totalsOf(found.get(wallet) ?? new Map(), { prices, excluded })]),
    ),
    remainder: wallets.filter((wallet) => !isChosen.has(wallet)),
  };
}

interface Fitting {
  chosen: readonly Hex[];
  found: Map<Hex, Positions>;
}

/** Mostly all wallets fit, and nothing needs to be counted first. */
async function readFitting(snapshot: Snapshot, wallets: readonly Hex[]): Promise<Fitting> {
  const all = await readPositions(snapshot, { wallets, maxTrades: MAX_WALLET_TRADES });
  if (all !== null) return { chosen: wallets, found: all };
  const chosen = chooseWallets(wallets, await countTrades(snapshot, wallets));
  const found = await readPositions(snapshot, { wallets: chosen, maxTrades: MAX_WALLET_TRADES });
  if (found === null) throw overtaken(snapshot);
  return { chosen, found };
}

/**
 * In the order asked until one does not fit any more. A wallet that is too large for any answer is passed over:
 * it must not keep those behind it from ever being answered.
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

export interface WalletQuestion {
  wallet: Hex;
  /** Leaves out the chain's stable coins. */
  totalExclude: boolean;
  /** Of a wallet with too many trades the newest count; otherwise it is refused. */
  maxSizeOk: boolean;
}

/** The totals of one wallet. @throws TooManyTrades */
export async function readTotals(snapshot: Snapshot, question: WalletQuestion): Promise<WalletTotals> {
  const positions = await positionsOfOne(snapshot, question);
  const excluded = question.totalExclude ? snapshot.chain.stableCoins : [];
  const prices = await pricesFor(snapshot, [positions]);
  return totalsOf(positions, { prices, excluded });
}

/** What a wallet made of one token. */
export interface NamedPerformance extends TokenPerformance {
  tokenAddress: Hex;
  tokenSymbol: string | null;
  tokenName: string | null;
}

/** What a wallet made of each of its tokens: the largest total profit first, unknown ones last. @throws TooManyTrades */
export async function readPerToken(
  snapshot: Snapshot,
  question: WalletQuestion,
): Promise<NamedPerformance[]> {
  const positions = await positionsOfOne(snapshot, question);
  if (question.totalExclude) for (const token of snapshot.chain.stableCoins) positions.delete(token);
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

async function positionsOfOne(snapshot: Snapshot, { wallet, maxSizeOk }: WalletQuestion): Promise<Positions> {
  const maxTrades = MAX_WALLET_TRADES;
  const all = await readPositions(snapshot, { wallets: [wallet], maxTrades });
  if (all !== null) return all.get(wallet) ?? new Map();
  if (!maxSizeOk) throw new TooManyTrades(wallet);
  return readNewestPositions(snapshot, { wallet, maxTrades });
}

/** Only what is still held needs a price. */
function pricesFor(snapshot: Snapshot, wallets: readonly Positions[]): Promise<Map<Hex, number>> {
  const held = new Set<Hex>();
  for (const positions of wallets) {
    for (const [token, { balance }] of positions) if (balance > 0) held.add(token);
  }
  return readCurrentPrices(snapshot, [...held]);
}

interface Valuation {
  prices: ReadonlyMap<Hex, number>;
  /** Tokens that count nowhere. */
  excluded: readonly Hex[];
}

function totalsOf(positions: ReadonlyMap<Hex, Position>, { prices, excluded }: Valuation): WalletTotals {
  const holdings = holdingsOf(positions, { prices, excluded });
  return { ...walletPerformance(holdings), excluded: excluded.filter((token) => positions.has(token)) };
}

function* holdingsOf(
  positions: ReadonlyMap<Hex, Position>,
  { prices, excluded }: Valuation,
): Generator<Holding> {
  for (const [token, position] of positions) {
    if (!excluded.includes(token)) yield { position, currentPrice: prices.get(token) ?? null };
  }
}

class TooManyTrades extends BaseError {
  constructor(wallet: Hex) {
    super(
      "too-large",
      `Wallet ${wallet} has more than ${MAX_WALLET_TRADES} trades. With max_size_ok=true the answer is about the newest ${MAX_WALLET_TRADES} of them.`,
    );
  }
}
