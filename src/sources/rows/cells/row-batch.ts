import type { Hex } from "../../../lib/hex.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";
import { bytesOf, flagOf, integerOf, isAbsent, quantityOf } from "./cell-values.ts";
import type { Cells } from "./cells.ts";
import { receivedCells, sentSlice } from "./received-cells.ts";
import { type SentCells, sizeOfCells } from "./sent-cells.ts";

interface BatchOptions {
  /** Name of the file for error messages. */
  file: string;
  /** Number of the batch's first row in the file, counted from 1. */
  firstRow: number;
  cells: ReadonlyMap<string, Cells>;
  /** Name of the column with the block number. */
  blockColumn: string;
  rows: number;
  /** About how much memory the rows take, in bytes. */
  bytes: number;
}

/** Rows of a batch in the form in which one thread sends them to another. */
export interface SentRows extends Omit<BatchOptions, "cells" | "bytes"> {
  columns: readonly (readonly [name: string, cells: SentCells])[];
}

/** Consecutive rows of a file, in columns. */
export class RowBatch {
  readonly file: string;
  readonly rows: number;
  readonly firstRow: number;
  readonly bytes: number;
  readonly #cells: ReadonlyMap<string, Cells>;
  readonly #blockColumn: string;
  readonly #blocks: Column;

  static received({ columns, ...rows }: SentRows): RowBatch {
    const cells = new Map(columns.map(([name, sent]) => [name, receivedCells(sent)]));
    const bytes = columns.reduce((sum, [, sent]) => sum + sizeOfCells(sent), 0);
    return new RowBatch({ ...rows, cells, bytes });
  }

  constructor({ file, firstRow, cells, blockColumn, rows, bytes }: BatchOptions) {
    this.file = file;
    this.rows = rows;
    this.bytes = bytes;
    this.firstRow = firstRow;
    this.#cells = cells;
    this.#blockColumn = blockColumn;
    this.#blocks = this.column(blockColumn);
  }

  /**
   * Returns some consecutive rows, without sharing memory with the others.
   *
   * @param end exclusive
   */
  slice(start: number, end: number): SentRows {
    return {
      ...{ file: this.file, firstRow: this.firstRow + start, rows: end - start },
      blockColumn: this.#blockColumn,
      columns: [...this.#cells].map(([name, cells]) => [name, sentSlice(cells, start, end)]),
    };
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
    const hex = this.#cells?.hexAt?.(row) ?? this.#checkedBytes(row);
    if (length !== undefined && hex.length !== 2 + 2 * length) this.#fail(row, `${length} bytes`);
    return hex;
  }

  #checkedBytes(row: number): Hex {
    const cell = this.cell(row);
    if (cell !== this.#newest || cell === undefined) {
      this.#newestHex = bytesOf(cell) ?? this.#fail(row, "bytes");
      this.#newest = cell;
    }
    return this.#newestHex;
  }

  bytesOrNull(row: number, length?: number): Hex | null {
    const isPresent = (this.#cells?.hexAt?.(row) ?? null) !== null || !this.isAbsent(row);
    return isPresent ? this.bytes(row, length) : null;
  }

  /** Returns a list of texts of bytes; null if the cell must be read and checked in the usual way. */
  bytesList(row: number, max: number): Hex[] | null {
    return this.#cells?.hexListAt?.(row, max) ?? null;
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
