import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { mayChangeAmounts } from "../../schema/hooks.ts";
import { SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import type { Erc20Transfer, Swap } from "../../schema/swap.ts";
import { addressOf, addressWord, isWords, uintAt, wordAt } from "../abi/abi.ts";
import type { Evidence } from "../families/swap-family.ts";
import { directionOf, withoutAmounts } from "../families/swap-of.ts";

/**
 * Transfer(address caller, address indexed from, address indexed to, uint256 indexed id, uint256 amount) of
 * the PoolManager (ERC-6909). It reports claims on a token that the PoolManager holds. The id is the token's
 * address. The caller pays for minted claims, and receives the token for burned claims.
 */
export const CLAIMS_MOVED: Hex = "0x1b3d7edb2e9c0b0e7c525b20aaaef0f5940d2ed71663c7d39266ecafac728859";

const NOBODY = `0x${addressWord(`0x${"0".repeat(40)}`)}`;

/** A swap's transaction, its PoolManager and the hook of its pool. */
interface Place extends Evidence {
  manager: Hex;
  hooks: Hex;
}

/**
 * Returns the swap with the amounts that the swapper paid and received. A hook with return deltas can take
 * from these amounts or add to them outside the pool, but the event has only the pool's amounts. In this case
 * the amounts come from the transfers of the transaction, or are unknown. The PoolManager does not call a
 * hook for the hook's own swaps.
 *
 * @param swap with the amounts of its event
 */
export function swapOfSwapper(swap: Swap, log: Log, evidence: Evidence): Swap {
  const { hooks } = swap.pool;
  if (hooks === null || !isChangedByHook(swap, log)) return swap;
  const place = { ...evidence, manager: log.address, hooks };
  const isOnly = evidence.transaction.logs.filter((each) => isSwapOf(place, each)).length === 1;
  const amount0 = isOnly ? exchanged(swap.token0, swap.amount0, place) : null;
  const amount1 = isOnly ? exchanged(swap.token1, swap.amount1, place) : null;
  if (amount0 === null || amount1 === null) return withoutAmounts(swap, "hook_may_change_amounts");
  return { ...swap, amount0, amount1 };
}

/** Returns whether the hook of a swap's pool may have changed what the swapper pays and receives. */
export function isChangedByHook({ pool: { hooks, hookFlags } }: Swap, { topics }: Log): boolean {
  return mayChangeAmounts(hookFlags) && addressOf(topics[2]) !== hooks;
}

function isSwapOf({ manager }: Place, { address, topics }: Log): boolean {
  return address === manager && topics[0] === SINGLETON_EVENTS.swap;
}

/**
 * Returns the amount of a token that entered the PoolManager from any account other than the hook, or a
 * negative amount if the token left. Returns null unless a single transfer moved the amount, in the direction
 * of the swap, and the PoolManager's books balance: it must keep exactly what entered the pool and what it
 * owes to the hook. This rules out all other uses of the PoolManager in the transaction. It also rules out
 * the native coin, which moves without transfers.
 *
 * @param inPool the amount that entered the pool
 */
function exchanged(token: Hex, inPool: bigint, place: Place): bigint | null {
  const { manager, hooks, transfers } = place;
  const moved = transfers.filter((each) => each.token === token && [each.from, each.to].includes(manager));
  const [only, ...more] = moved.filter(({ from, to }) => from !== hooks && to !== hooks);
  const claims = claimsOfHook(token, place);
  if (only === undefined || more.length > 0 || claims === null) return null;
  const amount = gainOf(manager, only);
  const kept = moved.reduce((sum, each) => sum + gainOf(manager, each), 0n);
  const isSameWay = directionOf(amount) === directionOf(inPool);
  return isSameWay && amount !== 0n && kept === inPool + claims ? amount : null;
}

function gainOf(manager: Hex, { from, to, value }: Erc20Transfer): bigint {
  return (to === manager ? value : 0n) - (from === manager ? value : 0n);
}

/**
 * Returns the claims that the hook minted minus the claims that it burned. Returns null if another account
 * minted or burned claims.
 */
function claimsOfHook(token: Hex, { manager, hooks, transaction }: Place): bigint | null {
  let claims = 0n;
  for (const { address, topics, data } of transaction.logs) {
    if (address !== manager || topics[0] !== CLAIMS_MOVED || topics[3] !== `0x${addressWord(token)}`)
      continue;
    const isMinted = topics[1] === NOBODY;
    // A transfer of claims between two owners involves no payment.
    if (isMinted === (topics[2] === NOBODY)) continue;
    if (!isWords(data, 2) || addressOf(wordAt(data, 0)) !== hooks) return null;
    claims += isMinted ? uintAt(data, 1) : -uintAt(data, 1);
  }
  return claims;
}
