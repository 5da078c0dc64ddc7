import type { Hex } from "../../lib/hex.ts";
import { addTrade, emptyPosition, type Position, type WalletTrade } from "./position.ts";
import { sharedText } from "./shared-texts.ts";

/**
 * Maximum number of a wallet's trades from which positions are computed. Reading this many from the store
 * takes half a second and 6 MB.
 */
export const MAX_WALLET_TRADES = 100_000;

/** How many numbers are stored per position. */
const WIDTH = 9;

/** Spare capacity for further tokens, as a fraction of the existing ones. */
const SPARE = 1 / 8;

/** Memory of the objects of a wallet, without its positions. */
const WALLET_BYTES = 450;
/** Memory of a reference to the token's string, and of this wallet's share of the string. */
const TOKEN_BYTES = 20;

/**
 * A wallet's positions after all its trades, in one array: an object for each position would take four times
 * the memory. Positions are sorted by token address, and all sums over them are computed in that order. For a
 * wallet with more than `MAX_WALLET_TRADES` trades, only the number of trades is kept.
 */
export class WalletPositions {
  #trades = 0;
  #tokens: Hex[] = [];
  #numbers = new Float64Array(0);

  /** Returns the value for a wallet with too many trades. */
  static tooLarge(trades: number): WalletPositions {
    const positions = new WalletPositions();
    positions.#trades = trades;
    return positions;
  }

  get trades(): number {
    return this.#trades;
  }

  get isTooLarge(): boolean {
    return this.#trades > MAX_WALLET_TRADES;
  }

  get tokens(): readonly Hex[] {
    return this.#tokens;
  }

  get bytes(): number {
    return WALLET_BYTES + TOKEN_BYTES * this.#tokens.length + this.#numbers.byteLength;
  }

  /** Content of the value, for comparisons. */
  content(): unknown {
    const positions: [Hex, Position][] = [];
    this.forEach((token, position) => {
      positions.push([token, { ...position }]);
    });
    return [this.#trades, positions];
  }

  has(token: Hex): boolean {
    return this.#tokens[this.#placeOf(token)] === token;
  }

  /** Calls `visit` with the position in each token. The object is reused, so copy whatever is kept. */
  forEach(visit: (token: Hex, position: Position) => void): void {
    const position = emptyPosition();
    this.#tokens.forEach((token, place) => {
      this.#load(place, position);
      visit(token, position);
    });
  }

  /**
   * Adds a position in another token. Its address must sort above the address of every token added before it.
   */
  append(token: Hex, position: Position): void {
    const place = this.#tokens.length;
    this.#insert(place, token);
    this.#store(place, position);
    this.#trades += position.totalTrades;
  }

  /** Adds the next trade in chain order. */
  add(token: Hex, trade: WalletTrade): void {
    this.#trades++;
    if (this.isTooLarge) {
      this.#tokens = [];
      this.#numbers = new Float64Array(0);
      return;
    }
    const place = this.#placeOf(token);
    const position = emptyPosition();
    if (this.#tokens[place] === token) this.#load(place, position);
    else this.#insert(place, token);
    addTrade(position, trade);
    this.#store(place, position);
  }

  /** Frees the spare capacity. */
  trim(): void {
    this.#tokens = this.#tokens.slice();
    this.#numbers = this.#numbers.slice(0, this.#tokens.length * WIDTH);
  }

  /** Returns the index of a token, or the index at which to insert it. */
  #placeOf(token: Hex): number {
    let [low, high] = [0, this.#tokens.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#tokens[middle] ?? "0x") < token) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(place: number, token: Hex): void {
    const used = this.#tokens.length * WIDTH;
    if (this.#numbers.length < used + WIDTH) {
      const rooms = this.#tokens.length + 1 + Math.floor(this.#tokens.length * SPARE);
      const larger = new Float64Array(rooms * WIDTH);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const at = place * WIDTH;
    this.#numbers.copyWithin(at + WIDTH, at, used);
    this.#tokens.splice(place, 0, sharedText(token));
  }

  #load(place: number, position: Position): void {
    const numbers = this.#numbers;
    const at = place * WIDTH;
    position.totalBuys = numbers[at] ?? 0;
    position.totalSells = numbers[at + 1] ?? 0;
    position.totalTrades = position.totalBuys + position.totalSells;
    position.firstTradeTimestamp = numbers[at + 2] ?? 0;
    position.lastTradeTimestamp = numbers[at + 3] ?? 0;
    position.bought = numbers[at + 4] ?? 0;
    position.sold = numbers[at + 5] ?? 0;
    position.buyVolume = numbers[at + 6] ?? 0;
    position.sellVolume = numbers[at + 7] ?? 0;
    position.balance = numbers[at + 8] ?? 0;
  }

  #store(place: number, position: Position): void {
    const numbers = this.#numbers;
    const at = place * WIDTH;
    numbers[at] = position.totalBuys;
    numbers[at + 1] = position.totalSells;
    numbers[at + 2] = position.firstTradeTimestamp ?? 0;
    numbers[at + 3] = position.lastTradeTimestamp ?? 0;
    numbers[at + 4] = position.bought;
    numbers[at + 5] = position.sold;
    numbers[at + 6] = position.buyVolume;
    numbers[at + 7] = position.sellVolume;
    numbers[at + 8] = position.balance;
  }
}
