import type { Hex } from "../../../lib/hex.ts";
import { quantityBytes } from "../../verify/encoding.ts";
import type { RpcLog } from "../../wire/rpc-block.ts";
import { BLOOM_BYTES, type Blooms } from "./blooms.ts";

/** A receipt of a transaction that is no deposit. */
interface PlainReceipt {
  type: number;
  /** The status; before Byzantium, the state root. */
  outcome: Uint8Array;
  cumulativeGasUsed: Hex;
  logs: readonly RpcLog[];
}

/**
 * Returns the bytes that the receipts root commits to, like `encodeReceipt`, and writes the bloom into
 * `union`. It writes each receipt into one buffer, because the encoding of nested lists of byte arrays takes
 * most of the time of the proof of a block without transactions.
 */
export function receiptBytes(receipt: PlainReceipt, blooms: Blooms, union: Uint8Array): Buffer {
  const { type, outcome, logs } = receipt;
  const gas = quantityBytes(receipt.cumulativeGasUsed);
  const logsLength = logs.reduce((sum, log) => sum + listLength(logLength(log)), 0);
  const length =
    textLength(outcome) + textLength(gas) + headLength(BLOOM_BYTES) + BLOOM_BYTES + listLength(logsLength);
  const writer = new RlpWriter(listLength(length) + (type === 0 ? 0 : 1));
  if (type !== 0) writer.byte(type);
  writer.head(LIST, length);
  writer.text(outcome);
  writer.text(gas);
  const bloom = writer.zeros(BLOOM_BYTES);
  blooms.write(logs, bloom);
  for (let i = 0; i < BLOOM_BYTES; i++) union[i] = (union[i] ?? 0) | (bloom[i] ?? 0);
  writer.head(LIST, logsLength);
  for (const log of logs) writeLog(writer, log);
  return writer.bytes;
}

const TEXT = 0x80;
const LIST = 0xc0;
/** Longest content whose length is in the first byte. */
const MAX_SHORT = 55;
const ADDRESS_LENGTH = 21;
const TOPIC_LENGTH = 33;

function logLength({ topics, data }: RpcLog): number {
  return ADDRESS_LENGTH + listLength(topics.length * TOPIC_LENGTH) + hexLength(data);
}

function writeLog(writer: RlpWriter, log: RpcLog): void {
  writer.head(LIST, logLength(log));
  writer.hex(log.address);
  writer.head(LIST, log.topics.length * TOPIC_LENGTH);
  for (const topic of log.topics) writer.hex(topic);
  writer.hex(log.data);
}

function headLength(content: number): number {
  return content <= MAX_SHORT ? 1 : 1 + Math.ceil((32 - Math.clz32(content)) / 8);
}

function listLength(content: number): number {
  return headLength(content) + content;
}

/** Length of a byte string. One byte below 0x80 is its own encoding. */
function textLength(bytes: Uint8Array): number {
  return bytes.length === 1 && (bytes[0] ?? 0) < TEXT ? 1 : headLength(bytes.length) + bytes.length;
}

function hexLength(hex: Hex): number {
  const length = (hex.length - 2) / 2;
  return length === 1 && Number(hex) < TEXT ? 1 : headLength(length) + length;
}

/** Writes RLP into a buffer of the right size. */
class RlpWriter {
  readonly bytes: Buffer;
  #at = 0;

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafe(length);
  }

  byte(value: number): void {
    this.bytes[this.#at++] = value;
  }

  head(kind: number, length: number): void {
    if (length <= MAX_SHORT) {
      this.byte(kind + length);
      return;
    }
    const lengthBytes = headLength(length) - 1;
    this.byte(kind + MAX_SHORT + lengthBytes);
    this.#at = this.bytes.writeUIntBE(length, this.#at, lengthBytes);
  }

  text(bytes: Uint8Array): void {
    if (bytes.length !== 1 || (bytes[0] ?? 0) >= TEXT) this.head(TEXT, bytes.length);
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  hex(hex: Hex): void {
    const length = (hex.length - 2) / 2;
    if (length !== 1 || Number(hex) >= TEXT) this.head(TEXT, length);
    this.#at += this.bytes.write(hex.slice(2), this.#at, "hex");
  }

  /** Writes a byte string of zeros, and returns its place. */
  zeros(length: number): Uint8Array {
    this.head(TEXT, length);
    const place = this.bytes.subarray(this.#at, this.#at + length).fill(0);
    this.#at += length;
    return place;
  }
}
