import type { DecodedTransaction } from "../../decode/decode-block.ts";
import { decodeWrapping, type Wrapping } from "../../decode/transfers/wrapping.ts";
import type { Hex } from "../../lib/hex.ts";
import { partsOf } from "../../lib/parts.ts";
import { toUnits } from "../../lib/units.ts";
import type { Block } from "../../schema/block.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { Token } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";
import type { Engine } from "../../storage/store.ts";
import {
  type Holding,
  holdingOf,
  readStoredBalances,
  tokenOf,
  walletOf,
} from "../../storage/stored-balances.ts";
import { Knowledge } from "./block-scoped-cache.ts";

/** Holdings in one look-up: keeps the query text far below the engine's bound. */
const LOOKUP_SIZE = 4_000;
/** Mints come from it and burns go to it: it holds nothing. */
const ZERO_ADDRESS: Hex = `0x${"0".repeat(40)}`;
const AMOUNT_BITS = 256;
const MAX_AMOUNT = 2n ** 256n - 1n;

/** What a balance depends on besides transfers. */
export interface Origins {
  token(address: Hex): Token;
  /** True when all transfers that ever concerned the holding are indexed. */
  isWhole(wallet: Hex, token: Hex): boolean;
}

/**
 * Balances by wallet and token: a cache over `token_balances`, of which those in the blocks to come must be in memory.
 * null stands for a balance that transfers do not tell.
 */
export class BalanceBook {
  readonly #balances = new Knowledge<bigint | null>();
  readonly #wrappedNative: Hex;

  /** @param wrappedNative the token that wraps the chain's coin */
  constructor(wrappedNative: Hex) {
    this.#wrappedNative = wrappedNative;
  }

  get size(): number {
    return this.#balances.size;
  }

  /** From now on balances are learned from blocks up to this one. */
  learnUpTo(block: number): void {
    this.#balances.learnUpTo(block);
  }

  /** The holdings that transactions move and of which nothing is in memory, without duplicates. */
  missing(transactions: readonly DecodedTransaction[]): Holding[] {
    return [...changesOf(transactions, this.#wrappedNative).keys()].filter(
      (holding) => !this.#balances.has(holding),
    );
  }

  /** Takes from the store what it knows of some holdings. */
  async load(engine: Engine, chain: string, lookup: { holdings: Holding[]; bound: number }): Promise<void> {
    for (const holdings of partsOf(lookup.holdings, LOOKUP_SIZE)) {
      const balances = await readStoredBalances(engine, holdings, { chain, last: lookup.bound });
      for (const [holding, balance] of balances) this.#balances.set(holding, balance);
    }
  }

  /** The rows of the next block: one for each holding that it changes: transfers may cancel each other out. */
  advance(
    block: Block,
    transactions: readonly DecodedTransaction[],
    origins: Origins,
  ): RowOf<"token_balances">[] {
    const rows: RowOf<"token_balances">[] = [];
    for (const [holding, change] of changesOf(transactions, this.#wrappedNative)) {
      if (BigInt.asUintN(AMOUNT_BITS, change) === 0n) continue;
      const balance = moved(this.#before(holding, origins), change);
      this.#balances.set(holding, balance);
      rows.push(balanceRow(holding, balance, { block, token: origins.token, ordinal: rows.length }));
    }
    return rows;
  }

  /** Forgets the balances that blocks above the given one may have taught. */
  rollback(block: number): void {
    this.#balances.rollback(block);
  }

  forget(): void {
    this.#balances.clear();
  }

  #before(holding: Holding, { isWhole }: Origins): bigint | null {
    const known = this.#balances.get(holding);
    if (known !== undefined) return known;
    return isWhole(walletOf(holding), tokenOf(holding)) ? 0n : null;
  }
}

/** What is added to each holding, those that are touched first first. */
function changesOf(transactions: readonly DecodedTransaction[], wrappedNative: Hex): Map<Holding, bigint> {
  const changes = new Map<Holding, bigint>();
  const add = (wallet: Hex, token: Hex, amount: bigint) => {
    if (wallet === ZERO_ADDRESS) return;
    const holding = holdingOf(wallet, token);
    changes.set(holding, (changes.get(holding) ?? 0n) + amount);
  };
  for (const transaction of transactions) {
    for (const event of transaction.events) {
      if (event.kind !== "erc20") continue;
      add(event.from, event.token, -event.value);
      add(event.to, event.token, event.value);
    }
    for (const { wallet, amount } of wrappingsOf(transaction, wrappedNative))
      add(wallet, wrappedNative, amount);
  }
  return changes;
}

/** True when native coins are wrapped or unwrapped: then rows tell of the token that stands for them. */
export function isWrappedIn(transactions: readonly DecodedTransaction[], wrappedNative: Hex): boolean {
  return transactions.some((transaction) => wrappingsOf(transaction, wrappedNative).length > 0);
}

/** Without those that the coin tells by a Transfer as well, as some do other than WETH9. */
function wrappingsOf({ transaction, events }: DecodedTransaction, wrappedNative: Hex): Wrapping[] {
  const isTold = ({ wallet, amount }: Wrapping) =>
    events.some(
      (event) =>
        event.kind === "erc20" &&
        event.token === wrappedNative &&
        event.from === (amount < 0n ? wallet : ZERO_ADDRESS) &&
        event.to === (amount < 0n ? ZERO_ADDRESS : wallet) &&
        event.value === (amount < 0n ? -amount : amount),
    );
  return transaction.logs
    .filter(({ address }) => address === wrappedNative)
    .map(decodeWrapping)
    .filter((wrapping) => wrapping !== null)
    .filter((wrapping) => !isTold(wrapping));
}

/** A result that no contract can hold proves that its transfers are not all that changes balances. */
function moved(before: bigint | null, change: bigint): bigint | null {
  if (before === null) return null;
  const after = before + change;
  return after < 0n || after > MAX_AMOUNT ? null : after;
}

interface Place {
  block: Block;
  token: Origins["token"];
  /** Number among the block's rows. */
  ordinal: number;
}

function balanceRow(
  holding: Holding,
  balance: bigint | null,
  { block, token, ordinal }: Place,
): RowOf<"token_balances"> {
  const { address, symbol, decimals } = token(tokenOf(holding));
  return {
    wallet_address: walletOf(holding),
    token_address: address,
    token_symbol: symbol,
    balance_base: balance,
    balance_token: balance === null || decimals === null ? null : toUnits(balance, decimals),
    block_number: block.number,
    timestamp: block.timestamp,
    record_index: recordIndexOf(block.number, ordinal),
  };
}
