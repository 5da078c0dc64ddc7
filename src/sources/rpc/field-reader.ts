import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { MAX_UINT64 } from "../../lib/units.ts";

export type JsonObject = Record<string, unknown>;

const LOWER_HEX = /^0x[0-9a-f]*$/;
const LOWER_QUANTITY = /^0x[0-9a-f]{1,64}$/;

/** Reads the fields of one JSON object. Errors name the object and the field. */
export class FieldReader {
  readonly object: JsonObject;
  readonly #where: string;

  /** @param where names the object in messages, e.g. `block 17686110, receipts[4]` */
  constructor(json: unknown, where: string) {
    if (typeof json !== "object" || json === null || Array.isArray(json)) {
      throw new RpcFormatError(`${where}: expected an object, got ${preview(json)}`);
    }
    this.object = json as JsonObject;
    this.#where = where;
  }

  has(name: string): boolean {
    return this.object[name] !== undefined && this.object[name] !== null;
  }

  /** Reads bytes as lower-case hex text. `length` is the number of bytes, if it is fixed. */
  bytes(name: string, length?: number): Hex {
    const text = lowerBytes(this.object[name], length);
    if (text === null)
      throw this.wrong(name, length === undefined ? "bytes in hex" : `${length} bytes in hex`);
    return text;
  }

  bytesOrNull(name: string, length?: number): Hex | null {
    return this.has(name) ? this.bytes(name, length) : null;
  }

  /** Reads an unsigned number of at most 256 bits, as hex text. */
  quantity(name: string): Hex {
    const text = lowerText(this.object[name], LOWER_QUANTITY);
    if (text === null) throw this.wrong(name, "a hex number of at most 256 bits");
    return text;
  }

  quantityOrNull(name: string): Hex | null {
    return this.has(name) ? this.quantity(name) : null;
  }

  /** Reads a number that a double can hold exactly. */
  integer(name: string): number {
    return toInteger(this.quantity(name), `${this.#where}: ${name}`);
  }

  list(name: string): unknown[] {
    const value = this.object[name];
    if (!Array.isArray(value)) throw this.wrong(name, "a list");
    return value;
  }

  listOrEmpty(name: string): unknown[] {
    return this.has(name) ? this.list(name) : [];
  }

  /** Reads a list of hex strings, each of `length` bytes. */
  bytesList(name: string, length: number): Hex[] {
    return this.listOrEmpty(name).map((item) => {
      const text = lowerBytes(item, length);
      if (text === null) throw this.wrong(name, `a list of hex values of ${length} bytes each`);
      return text;
    });
  }

  /** Returns a reader for a nested object. */
  at(json: unknown, name: string): FieldReader {
    return new FieldReader(json, `${this.#where}, ${name}`);
  }

  wrong(name: string, expected: string): RpcFormatError {
    const value = this.object[name];
    return new RpcFormatError(
      value === undefined
        ? `${this.#where}: ${name} is missing`
        : `${this.#where}: ${name} is ${preview(value)}, expected ${expected}`,
    );
  }
}

/** Converts a hex quantity to a number. Throws if a double cannot hold it exactly. */
export function toInteger(quantity: Hex, where: string): number {
  const value = Number(quantity);
  if (!Number.isSafeInteger(value)) {
    throw new RpcFormatError(`${where} is ${quantity}, which is 2^53 or more`);
  }
  return value;
}

/** Converts a hex quantity to a bigint. Throws if it has more than 64 bits. */
export function toUint64(quantity: Hex, where: string): bigint {
  const value = BigInt(quantity);
  if (value > MAX_UINT64) throw new RpcFormatError(`${where} is ${quantity}, which is 2^64 or more`);
  return value;
}

/**
 * Returns bytes as lower-case hex text; null if the value is not bytes in hex.
 *
 * @param length required number of bytes; default: any number
 */
function lowerBytes(value: unknown, length?: number): Hex | null {
  const text = lowerText(value, LOWER_HEX);
  if (text === null || text.length % 2 !== 0) return null;
  return length === undefined || text.length === 2 + 2 * length ? text : null;
}

/**
 * Returns the text in lower case if it has this format; otherwise null. Nearly all text is in lower case
 * already.
 */
function lowerText(value: unknown, form: RegExp): Hex | null {
  if (typeof value !== "string") return null;
  if (form.test(value)) return value as Hex;
  const lower = value.toLowerCase();
  return form.test(lower) ? (lower as Hex) : null;
}

const PREVIEW_LENGTH = 60;

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= PREVIEW_LENGTH ? text : `${text.slice(0, PREVIEW_LENGTH)}…`;
}

/** The fields of a response do not have the form of the Ethereum JSON-RPC API. */
export class RpcFormatError extends BaseError {
  constructor(message: string) {
    super("endpoint", message, { retryable: true });
  }
}
