import type { Hex } from "../../../lib/hex.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";
import { bytesOf, flagOf, integerOf, isAbsent, quantityOf } from "./cell-values.ts";

/** The cells of a column. An array has this form. */
export interface Cells {
  readonly length: number;
  at(row: number): unknown;
}

interface BatchOptions {
  /** Name of the file for error messages. */
  file: string;
  /** Number of the batch's first row in the file, counted from 1. */
  firstRow: number;
  cells: ReadonlyMap<string, Cells>;
  /** Name of the column with the block number. */
  blockColumn: string;
  rows: number;
}

/** Consecutive rows of a file, in columns. */
export class RowBatch {
  readonly file: string;
  readonly rows: number;
  readonly firstRow: number;
  readonly #cells: ReadonlyMap<string, Cells>;
  readonly #blocks: Column;

  constructor({ file, firstRow, cells, blockColumn, rows }: BatchOptions) {
    this.file = file;
    this.rows = rows;
    this.firstRow = firstRow;
    this.#cells = cells;
    this.#blocks = this.column(blockColumn);
  }

  /** @throws InvalidFile */
  blockOf(row: number): number {
    return this.#blocks.integer(row);
  }

  /** Returns a column, which has no values if the file lacks it. */
  column(name: string): Column {
    return new Column(this, name, this.#cells.get(name));
  }

  /**
   * Returns the column of a field, under the first of the field's names that the file has.
   *
   * @param name undefined if the format lacks the field
   */
  field(name: string | readonly string[] | undefined): Column {
    const names = typeof name === "string" ? [name] : (name ?? []);
    return this.column(names.find((one) => this.#cells.has(one)) ?? names[0] ?? "");
  }

  /** Returns an error about a cell, or about a row if no column is given. */
  invalid(row: number, problem: string, column?: string): InvalidFile {
    const block = integerOf(this.#blocks.cell(row));
    const place = [
      ...(block === null ? [] : [`block ${block}`]),
      `row ${this.firstRow + row}`,
      ...(column === undefined ? [] : [`column ${column}`]),
    ];
    return new InvalidFile(this.file, place.join(", "), problem);
  }
}

/** Reads the cells of one column. Errors name the file, the block, the row and the column. */
export class Column {
  readonly #batch: RowBatch;
  readonly #name: string;
  readonly #cells: Cells | undefined;
  /** The most recently read bytes. They are cached because the rows of a block repeat many values. */
  #newest: unknown;
  #newestHex: Hex = "0x";

  constructor(batch: RowBatch, name: string, cells: Cells | undefined) {
    this.#batch = batch;
    this.#name = name;
    this.#cells = cells;
  }

  get exists(): boolean {
    return this.#cells !== undefined;
  }

  cell(row: number): unknown {
    return this.#cells?.at(row);
  }

  isAbsent(row: number): boolean {
    return isAbsent(this.cell(row));
  }

  /** @param length required length in bytes */
  bytes(row: number, length?: number): Hex {
    const cell = this.cell(row);
    if (cell !== this.#newest || cell === undefined) {
      this.#newestHex = bytesOf(cell) ?? this.#fail(row, "bytes");
      this.#newest = cell;
    }
    const hex = this.#newestHex;
    if (length !== undefined && hex.length !== 2 + 2 * length) this.#fail(row, `${length} bytes`);
    return hex;
  }

  bytesOrNull(row: number, length?: number): Hex | null {
    return this.isAbsent(row) ? null : this.bytes(row, length);
  }

  quantity(row: number): Hex {
    return quantityOf(this.cell(row)) ?? this.#fail(row, "a number of at most 256 bits");
  }

  quantityOrNull(row: number): Hex | null {
    return this.isAbsent(row) ? null : this.quantity(row);
  }

  integer(row: number): number {
    return integerOf(this.cell(row)) ?? this.#fail(row, "a number");
  }

  integerOrNull(row: number): number | null {
    return this.isAbsent(row) ? null : this.integer(row);
  }

  flagOrNull(row: number): 0 | 1 | null {
    return this.isAbsent(row) ? null : (flagOf(this.cell(row)) ?? this.#fail(row, "true or false"));
  }

  /** Checks that the cell, if there is one, equals a known value. */
  requireInteger(row: number, expected: number): void {
    const found = this.integerOrNull(row);
    if (found !== null && found !== expected) this.#differs(row, found, expected);
  }

  requireBytes(row: number, expected: Hex): void {
    const found = this.bytesOrNull(row);
    if (found !== null && found !== expected) this.#differs(row, found, expected);
  }

  /** Returns an error about a cell. */
  invalid(row: number, problem: string): InvalidFile {
    return this.#batch.invalid(row, problem, this.#name);
  }

  #differs(row: number, found: Hex | number, expected: Hex | number): never {
    throw this.invalid(row, `${found} contradicts ${expected}, which follows from other columns`);
  }

  #fail(row: number, expected: string): never {
    throw this.invalid(row, this.isAbsent(row) ? "the value is missing" : `the value is not ${expected}`);
  }
}
