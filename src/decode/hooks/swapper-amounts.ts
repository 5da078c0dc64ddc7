import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { mayChangeAmounts, mayFillSwaps } from "../../schema/hooks.ts";
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

const NOBODY = `0x${addressWord(ZERO_ADDRESS)}`;

/** A swap's transaction, the contract that holds the tokens of its pool, and the hook of its pool. */
export interface Place extends Evidence {
  manager: Hex;
  hooks: Hex;
  /** Returns true for the manager's swap events. */
  isSwap(log: Log): boolean;
}

/**
 * Returns the swap with the amounts that the swapper paid and received. A hook with return deltas can take
 * from these amounts or add to them outside the pool, but the event has only the pool's amounts. In this case
 * the amounts come from the transfers of the transaction, or are unknown. The PoolManager does not call a
 * hook for the hook's own swaps.
 *
 * @param swap the swap with the amounts of its event
 */
export function swapOfSwapper(swap: Swap, log: Log, evidence: Evidence): Swap {
  const { hooks } = swap.pool;
  if (hooks === null || !isChangedByHook(swap, log)) return swap;
  const isSwap = ({ topics }: Log) => topics[0] === SINGLETON_EVENTS.swap;
  const place = { ...evidence, manager: log.address, hooks, isSwap };
  const isEmpty = swap.amount0 === 0n && swap.amount1 === 0n;
  if (isEmpty) return mayFillSwaps(swap.pool) ? filledByHook(swap, place) : swap;
  return withExchanged(swap, place, (token) => claimsOfHook(token, place));
}

/**
 * Returns a swap that the hook filled by itself. The event of this swap has zero amounts, so the transfers
 * show the direction. The amounts stay zero, and the swap does not count as a trade, unless a single transfer
 * moved at least one of the tokens. They also stay zero if the hook passed a token on to another contract,
 * such as a listed pool, whose own event then reports the trade.
 */
function filledByHook(swap: Swap, place: Place): Swap {
  const { token0, token1 } = swap;
  if (!isOnlySwap(place) || isPassedOn(swap, place)) return swap;
  const [moved0, moved1] = [movedAmount(token0, place), movedAmount(token1, place)];
  const amount0 = moved0 === null ? -directionOf(moved1 ?? 0n) : directionOf(moved0);
  if (amount0 === 0n || (moved1 !== null && directionOf(moved1) !== -amount0)) return swap;
  const isKnown = (token: Hex, amount: bigint) =>
    amountKept(token, place) === claimsOfHook(token, place) && isMostOf(amount, token, place);
  if (moved0 !== null && moved1 !== null && isKnown(token0, moved0) && isKnown(token1, moved1))
    return { ...swap, amount0: moved0, amount1: moved1 };
  return withoutAmounts({ ...swap, amount0, amount1: -amount0 }, "hook_may_change_amounts");
}

function isPassedOn({ token0, token1 }: Swap, { manager, hooks, transfers }: Place): boolean {
  return transfers.some(
    ({ token, from, to }) =>
      (token === token0 || token === token1) && [from, to].includes(hooks) && ![from, to].includes(manager),
  );
}

/**
 * Returns the swap with the amounts that the swapper exchanged with the manager of its pool, or without
 * amounts.
 *
 * @param claimsOf returns what the manager owes to the hook in a token; null if it is not known
 */
export function withExchanged(swap: Swap, place: Place, claimsOf: (token: Hex) => bigint | null): Swap {
  const exchanged = (token: Hex, inPool: bigint) => exchangedAmount(token, inPool, place, claimsOf(token));
  const amount0 = isOnlySwap(place) ? exchanged(swap.token0, swap.amount0) : null;
  const amount1 = isOnlySwap(place) ? exchanged(swap.token1, swap.amount1) : null;
  if (amount0 === null || amount1 === null) return withoutAmounts(swap, "hook_may_change_amounts");
  return { ...swap, amount0, amount1 };
}

/** Returns whether the hook of a swap's pool may have changed what the swapper pays and receives. */
export function isChangedByHook({ pool }: Swap, { topics }: Log): boolean {
  return mayChangeAmounts(pool) && addressOf(topics[2]) !== pool.hooks;
}

/**
 * Returns the swap with the amounts that the swapper exchanged with the manager. The hook may have taken a
 * fee from one of them and left it in the manager, which no log reports. Returns the swap without amounts
 * unless a single transfer moved each token, one amount equals the event's amount, and the other is no better
 * for the swapper.
 */
export function withUnreportedFee(swap: Swap, place: Place): Swap {
  const [paid0, paid1] = isOnlySwap(place)
    ? [movedAmount(swap.token0, place), movedAmount(swap.token1, place)]
    : [null, null];
  const unknown = withoutAmounts(swap, "hook_may_change_amounts");
  if (paid0 === null || paid1 === null) return unknown;
  const [fee0, fee1] = [paid0 - swap.amount0, paid1 - swap.amount1];
  const isSameWay =
    directionOf(paid0) === directionOf(swap.amount0) && directionOf(paid1) === directionOf(swap.amount1);
  const isOneFee = fee0 >= 0n && fee1 >= 0n && (fee0 === 0n || fee1 === 0n);
  return isSameWay && isOneFee ? { ...swap, amount0: paid0, amount1: paid1 } : unknown;
}

/**
 * By the logs of a transaction and the manager, whether the transaction has exactly one swap in the manager.
 * Without it, the time for a transaction with thousands of swaps would grow with their square.
 */
const onlySwaps = new WeakMap<readonly Log[], Map<Hex, boolean>>();

function isOnlySwap({ manager, isSwap, transaction: { logs } }: Place): boolean {
  const known = onlySwaps.get(logs) ?? new Map<Hex, boolean>();
  const isOnly =
    known.get(manager) ?? logs.filter((log) => log.address === manager && isSwap(log)).length === 1;
  onlySwaps.set(logs, known.set(manager, isOnly));
  return isOnly;
}

/**
 * Returns the amount of a token that entered the manager from any account other than the hook, or a negative
 * amount if the token left. Returns null unless a single transfer moved the amount, in the direction of the
 * swap, and the manager's books balance: it must keep exactly what entered the pool and what it owes to the
 * hook. This rules out all other uses of the manager in the transaction. It also rules out the native coin,
 * which moves without transfers.
 *
 * @param inPool the amount that entered the pool
 */
function exchangedAmount(token: Hex, inPool: bigint, place: Place, claims: bigint | null): bigint | null {
  const amount = movedAmount(token, place);
  if (amount === null || claims === null) return null;
  const isSameWay = directionOf(amount) === directionOf(inPool);
  const isBalanced = amountKept(token, place) === inPool + claims;
  return isSameWay && amount !== 0n && isBalanced && isMostOf(amount, token, place) ? amount : null;
}

/**
 * Returns true if an amount of a token is at least as large as what the hook itself exchanged with the
 * manager. If it is smaller, it may be the hook's fee, which the hook sent to a third party, while the hook
 * received the tokens of the swapper.
 */
function isMostOf(amount: bigint, token: Hex, { manager, hooks, transfers }: Place): boolean {
  const ofHook = transfers
    .filter((each) => each.token === token && [each.from, each.to].includes(hooks))
    .reduce((sum, each) => sum + gainOf(manager, each), 0n);
  return ofHook * ofHook <= amount * amount;
}

/** Returns the net amount of a token that the manager received in the transaction. */
function amountKept(token: Hex, { manager, transfers }: Place): bigint {
  return transfers
    .filter((each) => each.token === token)
    .reduce((sum, each) => sum + gainOf(manager, each), 0n);
}

/**
 * Returns the amount that the manager gained by the only transfer of a token between it and an account other
 * than the hook. Returns null unless there is exactly one such transfer.
 */
function movedAmount(token: Hex, { manager, hooks, transfers }: Place): bigint | null {
  const [only, ...more] = transfers.filter(
    ({ token: moved, from, to }) =>
      moved === token && [from, to].includes(manager) && from !== hooks && to !== hooks,
  );
  return only === undefined || more.length > 0 ? null : gainOf(manager, only);
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
