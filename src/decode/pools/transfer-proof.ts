import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractFamily, Pool } from "../../schema/swap.ts";
import { CONTRACT_FAMILIES } from "../swap-families.ts";
import { decodeTransfer } from "../transfers/transfers.ts";
import { madePool } from "./pool-by-create2.ts";

/** A pool moves its two tokens; the third leaves room for a stranger's and keeps an attacker's list of pairs short. */
const TOKEN_LIMIT = 3;

/** A contract that emitted a pool's event, and all logs of that transaction. */
interface Emitter {
  address: Hex;
  family: ContractFamily;
  logs: readonly Log[];
}

/**
 * Proves a pool that does not answer calls: when its address follows by CREATE2 from a listed deployment and two
 * of the tokens that the transaction moved into or out of it. Null where it does not, which proves nothing.
 */
export function poolOfTransfers({ address, family, logs }: Emitter, chain: Chain): Pool | null {
  const fees = CONTRACT_FAMILIES[family].feeTiers;
  for (const [token0, token1] of pairsOf(movedTokens(address, logs))) {
    const pool = madePool({ address, family, token0, token1, fees }, chain);
    if (pool !== null) return pool;
  }
  return null;
}

/** In ascending order, as factories sort them. */
function movedTokens(address: Hex, logs: readonly Log[]): Hex[] {
  const tokens = new Set<Hex>();
  for (const log of logs) {
    const transfer = decodeTransfer(log);
    // A V2 pair's own shares are not among its tokens.
    if (transfer?.kind !== "erc20" || transfer.token === address) continue;
    if (transfer.from === address || transfer.to === address) tokens.add(transfer.token);
    if (tokens.size === TOKEN_LIMIT) break;
  }
  return [...tokens].sort();
}

function* pairsOf(tokens: readonly Hex[]): Iterable<[Hex, Hex]> {
  for (const [i, token0] of tokens.entries()) {
    for (const token1 of tokens.slice(i + 1)) yield [token0, token1];
  }
}
