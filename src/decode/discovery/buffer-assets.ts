import type { Chain } from "../../chains/chain.ts";
import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import { addressResult } from "../abi/abi.ts";
import type { ScannedBlock } from "../blocks/scan-block.ts";
import { type BufferAssets, type BufferScheme, bufferOf } from "../families/buffers.ts";
import type { CallResults } from "../families/swap-family.ts";
import { FAMILIES } from "../pools/swap-families.ts";

/** Families whose vaults have buffers. */
export const BUFFER_FAMILIES: readonly PoolFamily[] = Object.values(FAMILIES).flatMap(
  ({ family, buffers }) => (buffers === undefined ? [] : family),
);

/** The calls that read the underlying tokens of buffers, by buffer. */
export type BufferCalls = ReadonlyMap<Hex, ContractCall>;

/**
 * Returns the calls for unknown buffers in transactions that swap in the vaults' pools. Each call reads the
 * state of the first block with a conversion, because the buffer exists from that block on.
 */
export function bufferCalls(
  blocks: readonly ScannedBlock[],
  known: BufferAssets,
  chain: Chain,
): Map<Hex, ContractCall> {
  const vaults = buffersByVault(chain);
  const calls = new Map<Hex, ContractCall>();
  for (const { log, block, scheme } of vaultLogs(blocks, vaults)) {
    const wrapped = scheme.wrappedIn(log);
    if (wrapped === null) continue;
    const buffer = bufferOf(log.address, wrapped);
    if (known.get(buffer) !== undefined || calls.has(buffer)) continue;
    const call = scheme.assetCall(wrapped, log.address);
    calls.set(buffer, { ...call, block: { number: block.number, hash: block.hash } });
  }
  return calls;
}

interface VaultLog {
  log: Log;
  block: Block;
  scheme: BufferScheme;
}

/** Yields the logs of vaults in transactions that have an event of a vault's pool. */
function* vaultLogs(
  blocks: readonly ScannedBlock[],
  vaults: ReadonlyMap<Hex, BufferScheme>,
): Generator<VaultLog> {
  if (vaults.size === 0) return;
  for (const { block, transactions } of blocks) {
    for (const { transaction, logs } of transactions) {
      if (!logs.some((log) => log.kind === "pool-log" && vaults.has(log.log.address))) continue;
      for (const log of transaction.logs) {
        const scheme = vaults.get(log.address);
        if (scheme !== undefined) yield { log, block, scheme };
      }
    }
  }
}

function buffersByVault({ deployments }: Chain): ReadonlyMap<Hex, BufferScheme> {
  const vaults = new Map<Hex, BufferScheme>();
  for (const { family, vault } of deployments) {
    const { buffers } = FAMILIES[family];
    if (buffers !== undefined && vault !== undefined) vaults.set(vault, buffers);
  }
  return vaults;
}

/**
 * Reads the underlying token of each buffer from the results of `calls`, which are in the same order. The
 * token is null if the buffer has none or the call reverted.
 */
export function readBufferAssets(calls: BufferCalls, results: CallResults): Map<Hex, Hex | null> {
  const assets = new Map<Hex, Hex | null>();
  for (const [i, buffer] of [...calls.keys()].entries()) {
    const asset = addressResult(results[i]);
    assets.set(buffer, asset === ZERO_ADDRESS ? null : asset);
  }
  return assets;
}
