import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "../../../../src/lib/hex.ts";
import { readBundleJson, readGzLines } from "../bundles.ts";

export interface RecordedLog {
  address: Hex;
  topics: Hex[];
  transactionHash: Hex;
}

export interface RecordedReceipt {
  transactionHash: Hex;
  logs: RecordedLog[];
}

export interface RecordedBlock {
  number: Hex;
  hash: Hex;
  transactions: { hash: Hex }[];
}

export interface RecordedEntry {
  block: RecordedBlock;
  receipts: RecordedReceipt[];
}

/** Return data by address and by selector or whole calldata. */
export type RecordedCalls = Record<string, Record<string, Hex>>;

/** The blocks of some bundles by number, hash and transaction, and the results of their contract calls. */
export class RecordedChain {
  readonly numbers: readonly number[];
  readonly calls: RecordedCalls = {};
  readonly #entries = new Map<number, RecordedEntry>();
  readonly #byHash = new Map<string, number>();
  readonly #byTransaction = new Map<string, { number: number; index: number }>();

  private constructor(bundles: readonly string[]) {
    for (const bundle of bundles) this.#add(bundle);
    this.numbers = [...this.#entries.keys()].sort((a, b) => a - b);
  }

  /**
   * Returns the chain of some bundles. Reads the same bundles only once per process, because many tests start
   * nodes with them.
   */
  static of(bundles: readonly string[]): RecordedChain {
    const name = bundles.join("\n");
    const chain = OPENED.get(name) ?? new RecordedChain(bundles);
    OPENED.set(name, chain);
    return chain;
  }

  get first(): number {
    return this.numbers[0] ?? 0;
  }

  get last(): number {
    return this.numbers.at(-1) ?? 0;
  }

  at(number: number): RecordedEntry | undefined {
    return this.#entries.get(number);
  }

  numberOf(hash: string): number | undefined {
    return this.#byHash.get(hash);
  }

  transaction(hash: string): { number: number; index: number } | undefined {
    return this.#byTransaction.get(hash);
  }

  #add(bundle: string): void {
    const receiptLines = readGzLines(bundle, "receipts.ndjson.gz");
    for (const [i, line] of readGzLines(bundle, "blocks.ndjson.gz").entries()) {
      const entry = { block: JSON.parse(line), receipts: JSON.parse(receiptLines[i] ?? "[]") };
      const number = Number(entry.block.number);
      this.#entries.set(number, entry);
      this.#byHash.set(entry.block.hash, number);
      for (const [index, { transactionHash }] of (entry as RecordedEntry).receipts.entries())
        this.#byTransaction.set(transactionHash, { number, index });
    }
    if (!existsSync(join(bundle, "calls.json"))) return;
    for (const [address, answers] of Object.entries(readBundleJson<RecordedCalls>(bundle, "calls.json")))
      this.calls[address] = { ...this.calls[address], ...answers };
  }
}

const OPENED = new Map<string, RecordedChain>();
