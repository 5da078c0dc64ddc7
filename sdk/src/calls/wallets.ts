import type { components } from "../api-types.ts";
import { distinctAddresses } from "../connection/address-list.ts";
import { type AsOf, asOf, type PartsAsOf, togetherAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { ask, type CallOptions, type Reply } from "../connection/request.ts";

type Schemas = components["schemas"];

/** The service takes so many wallets in one request. */
export const MAX_WALLETS_PER_REQUEST = 1_000;

export type WalletsQuestion = Schemas["GetBatchWalletLatestTotalPerformanceBody"];
export type WalletQuestion = Schemas["GetWalletLatestTotalPerformanceBody"];
export type WalletTotals = Schemas["GetWalletLatestTotalPerformanceAnswer"];
export type TokenPerformance = Schemas["GetWalletLatestPerformancePerTokenAnswer"]["data"][number];

export interface WalletsPerformance extends PartsAsOf {
  /** One for each distinct wallet, in the order of the question, save those in `remainder`. */
  wallets: WalletTotals[];
  /** Wallets with more trades than an answer takes: `walletPerformance` with `max_size_ok` tells of these. */
  remainder: string[];
}

export interface WalletPerformance {
  performance: WalletTotals;
  asOf: AsOf | null;
}

export interface WalletTokens {
  /** The largest total profit first. */
  tokens: TokenPerformance[];
  asOf: AsOf | null;
}

type Batch = Schemas["GetBatchWalletLatestTotalPerformanceAnswer"];

/** Asks again for what comes back in remainder, until nothing of it is answered. */
export async function walletsPerformance(
  connection: Connection,
  question: WalletsQuestion,
  options?: CallOptions,
): Promise<WalletsPerformance> {
  const path = "/v1/wallet-api/batch-latest-total-performance";
  const asked = distinctAddresses("wallet_address", question.wallet_address);
  const found = new Map<string, WalletTotals>();
  const replies: Reply<Batch>[] = [];
  const tooLarge: string[] = [];
  let pending = asked;
  do {
    const part = pending.slice(0, MAX_WALLETS_PER_REQUEST);
    const body = { ...question, wallet_address: part };
    const reply = await ask<Batch>(connection, { path, body, ...options });
    const answered = Object.entries(reply.body.data);
    for (const [wallet, totals] of answered) found.set(wallet, totals);
    if (answered.length === 0) tooLarge.push(...reply.body.remainder);
    const again = answered.length === 0 ? [] : reply.body.remainder;
    pending = [...again, ...pending.slice(part.length)];
    replies.push(reply);
  } while (pending.length > 0);
  return {
    wallets: asked.flatMap((wallet) => found.get(wallet) ?? []),
    remainder: tooLarge,
    ...togetherAsOf(replies),
  };
}

export async function walletPerformance(
  connection: Connection,
  query: WalletQuestion,
  options?: CallOptions,
): Promise<WalletPerformance> {
  const question = { path: "/v1/wallet-api/latest-total-performance", query, ...options } as const;
  const reply = await ask<WalletTotals>(connection, question);
  return { performance: reply.body, asOf: asOf(reply) };
}

export async function walletTokens(
  connection: Connection,
  query: WalletQuestion,
  options?: CallOptions,
): Promise<WalletTokens> {
  const question = { path: "/v1/wallet-api/latest-performance-per-token", query, ...options } as const;
  const reply = await ask<Schemas["GetWalletLatestPerformancePerTokenAnswer"]>(connection, question);
  return { tokens: reply.body.data, asOf: asOf(reply) };
}
