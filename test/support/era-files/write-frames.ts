import { createCRC32 } from "hash-wasm";
import { compress } from "snappyjs";

const CHUNK_BYTES = 65_536;
const crc = await createCRC32(0x82f63b78);

/** Writes framed Snappy data in chunks of 64 KiB, as other writers do. */
export function writeFrames(payload: Uint8Array): Buffer {
  const chunks: Uint8Array[] = [Buffer.from([0xff, 6, 0, 0, ...Buffer.from("sNaPpY")])];
  for (let at = 0; at < payload.length; at += CHUNK_BYTES) {
    chunks.push(chunkOf(payload.subarray(at, at + CHUNK_BYTES)));
  }
  return Buffer.concat(chunks);
}

/** Stores a part uncompressed if compression does not make it smaller. */
function chunkOf(part: Uint8Array): Buffer {
  const packed: Uint8Array = compress(Uint8Array.from(part));
  const isSmaller = packed.length < part.length;
  const content: Uint8Array = isSmaller ? packed : part;
  const header = Buffer.alloc(8);
  header.writeUInt8(isSmaller ? 0 : 1, 0);
  header.writeUIntLE(content.length + 4, 1, 3);
  const sum = Buffer.from(crc.init().update(part).digest("binary")).readUInt32BE(0);
  header.writeUInt32LE(((((sum >>> 15) | (sum << 17)) >>> 0) + 0xa282ead8) >>> 0, 4);
  return Buffer.concat([header, content]);
}
