import { createCRC32 } from "hash-wasm";
import { uncompress } from "snappyjs";
import { BaseError } from "../../lib/error.ts";

/** First bytes of framed data: see https://github.com/google/snappy/blob/main/framing_format.txt */
const STREAM_START = Buffer.from([0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]);
const COMPRESSED = 0x00;
const UNCOMPRESSED = 0x01;
const CHUNK_HEADER_BYTES = 4;
const CHECKSUM_BYTES = 4;
/** The format's limit on the uncompressed size of a chunk. */
const MAX_CHUNK_BYTES = 65_536;
/**
 * Maximum size of a decompressed payload: twice the maximum size of an entry. Without it, a damaged file
 * could claim any size.
 */
const MAX_PAYLOAD_BYTES = 128 * 2 ** 20;

/**
 * Maximum number of bytes that encode the decompressed size of a chunk: enough for the largest allowed chunk.
 */
const MAX_VARINT_BYTES = 3;

const CASTAGNOLI = 0x82f63b78;
const crc = await createCRC32(CASTAGNOLI);

/**
 * Decompresses the payload of framed Snappy data, and verifies every checksum. Rejects chunks that the format
 * allows but that these files never contain (padding, skippable chunks).
 *
 * @throws SnappyError
 */
export function readFrames(data: Uint8Array): Buffer {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (!bytes.subarray(0, STREAM_START.length).equals(STREAM_START)) {
    throw new SnappyError("does not begin with the stream identifier");
  }
  const parts: Uint8Array[] = [];
  let total = 0;
  for (let at = STREAM_START.length; at < bytes.length; ) {
    const chunk = chunkAt(bytes, at);
    const part = payloadOf(chunk);
    total += part.length;
    if (total > MAX_PAYLOAD_BYTES) throw new SnappyError(`has more than ${MAX_PAYLOAD_BYTES} bytes`);
    parts.push(part);
    at += CHUNK_HEADER_BYTES + chunk.content.length;
  }
  return parts.length === 1 && parts[0] !== undefined ? asBuffer(parts[0]) : Buffer.concat(parts);
}

/**
 * Returns the decompressed size that framed data declares, in bytes, up to `MAX_PAYLOAD_BYTES`. Does not
 * check the data.
 */
export function claimedSize(data: Uint8Array): number {
  const bytes = asBuffer(data);
  let total = 0;
  for (let at = STREAM_START.length; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const length = bytes.readUIntLE(at + 1, 3);
    const content = at + CHUNK_HEADER_BYTES + CHECKSUM_BYTES;
    total += bytes[at] === COMPRESSED ? varint(bytes, content) : Math.max(0, length - CHECKSUM_BYTES);
    at += CHUNK_HEADER_BYTES + length;
  }
  return Math.min(total, MAX_PAYLOAD_BYTES);
}

/** Reads the size at the start of a compressed chunk: a varint of seven bits per byte, lowest bits first. */
function varint(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes[start + i] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) break;
  }
  return Math.min(value, MAX_CHUNK_BYTES);
}

interface Chunk {
  type: number;
  content: Buffer;
}

function chunkAt(bytes: Buffer, at: number): Chunk {
  if (at + CHUNK_HEADER_BYTES > bytes.length) throw new SnappyError("ends within the header of a chunk");
  const start = at + CHUNK_HEADER_BYTES;
  const end = start + bytes.readUIntLE(at + 1, 3);
  if (end > bytes.length) throw new SnappyError("ends within a chunk");
  return { type: bytes.readUInt8(at), content: bytes.subarray(start, end) };
}

function payloadOf({ type, content }: Chunk): Uint8Array {
  if (type !== COMPRESSED && type !== UNCOMPRESSED)
    throw new SnappyError(`has an unexpected chunk of type ${type}`);
  if (content.length < CHECKSUM_BYTES) throw new SnappyError("has a chunk that is too short");
  const stored = content.subarray(CHECKSUM_BYTES);
  const payload = type === COMPRESSED ? uncompressed(stored) : stored;
  if (payload.length > MAX_CHUNK_BYTES) throw new SnappyError("has a chunk that is too long");
  if (maskedChecksum(payload) !== content.readUInt32LE(0))
    throw new SnappyError("has a chunk with a wrong checksum");
  return payload;
}

function uncompressed(stored: Uint8Array): Uint8Array {
  try {
    return uncompress(stored, MAX_CHUNK_BYTES);
  } catch (cause) {
    throw new SnappyError("has a chunk that cannot be decompressed", cause);
  }
}

function maskedChecksum(payload: Uint8Array): number {
  const sum = asBuffer(crc.init().update(payload).digest("binary")).readUInt32BE(0);
  return ((((sum >>> 15) | (sum << 17)) >>> 0) + 0xa282ead8) >>> 0;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The message has no subject, for example "ends within a chunk". The caller puts the subject before it. */
class SnappyError extends BaseError {
  constructor(problem: string, cause?: unknown) {
    super("verification", problem, { cause });
  }
}
