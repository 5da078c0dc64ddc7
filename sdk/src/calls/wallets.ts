import type { components } from "../api-types.ts";
import { distinctAddresses } from "../connection/address-list.ts";
import { type AsOf, asOf, type PartsAsOf, togetherAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { type CallOptions, type Reply, request } from "../connection/request.ts";

type Schemas = components["schemas"];

/** Maximum number of wallets that the service accepts in one request. */
export const MAX_WALLETS_PER_REQUEST = 1_000;

export type WalletsParams = Schemas["GetBatchWalletLatestTotalPerformanceBody"];
export type WalletParams = Schemas["GetWalletLatestTotalPerformanceBody"];
export type WalletTotals = Schemas["GetWalletLatestTotalPerformanceAnswer"];
export type TokenPerformance = Schemas["GetWalletLatestPerformancePerTokenAnswer"]["data"][number];

export interface WalletsPerformance extends PartsAsOf {
  /**
   * One item for each distinct wallet, in the order of the request. Leaves out the wallets in `remainder`.
   */
  wallets: WalletTotals[];
  /**
   * Wallets with more trades than one response covers. Use `walletPerformance` with `max_size_ok` for them.
   */
  remainder: string[];
}

export interface WalletPerformance {
  performance: WalletTotals;
  asOf: AsOf | null;
}

export interface WalletTokens {
  /** Sorted by total profit, largest first. */
  tokens: TokenPerformance[];
  asOf: AsOf | null;
}

type Batch = Schemas["GetBatchWalletLatestTotalPerformanceAnswer"];

/**
 * Requests the performance of wallets, and then the remainder of each response, until a response makes no
 * progress.
 */
export async function walletsPerformance(
  connection: Connection,
  params: WalletsParams,
  options?: CallOptions,
): Promise<WalletsPerformance> {
  const path = "/v1/wallet-api/batch-latest-total-performance";
  const wallets = distinctAddresses("wallet_address", params.wallet_address);
  const found = new Map<string, WalletTotals>();
  const replies: Reply<Batch>[] = [];
  const tooLarge: string[] = [];
  let pending = wallets;
  do {
    const part = pending.slice(0, MAX_WALLETS_PER_REQUEST);
    const body = { ...params, wallet_address: part };
    const reply = await request<Batch>(connection, { path, params: body, ...options });
    const processed = Object.entries(reply.body.data);
    for (const [wallet, totals] of processed) found.set(wallet, totals);
    if (processed.length === 0) tooLarge.push(...reply.body.remainder);
    const retried = processed.length === 0 ? [] : reply.body.remainder;
    pending = [...retried, ...pending.slice(part.length)];
    replies.push(reply);
  } while (pending.length > 0);
  return {
    wallets: wallets.flatMap((wallet) => found.get(wallet) ?? []),
    remainder: tooLarge,
    ...togetherAsOf(replies),
  };
}

export async function walletPerformance(
  connection: Connection,
  query: WalletParams,
  options?: CallOptions,
): Promise<WalletPerformance> {
  const call = { path: "/v1/wallet-api/latest-total-performance", query, ...options } as const;
  const reply = await request<WalletTotals>(connection, call);
  return { performance: reply.body, asOf: asOf(reply) };
}

export async function walletTokens(
  connection: Connection,
  query: WalletParams,
  options?: CallOptions,
): Promise<WalletTokens> {
  const call = { path: "/v1/wallet-api/latest-performance-per-token", query, ...options } as const;
  const reply = await request<Schemas["GetWalletLatestPerformancePerTokenAnswer"]>(connection, call);
  return { tokens: reply.body.data, asOf: asOf(reply) };
}
