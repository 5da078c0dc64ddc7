import type { Readable } from "node:stream";
import { HttpError } from "../errors/errors.ts";

/** Initial size of a buffer, enough for most bodies. */
const FIRST_BYTES = 16 * 1024;

/**
 * Receives a body. Its parts are copied into one buffer, because a client may send one-byte parts, and every
 * part that is kept takes additional memory.
 *
 * @param accept called before each part is kept, with the number of bytes so far including that part; throws
 * to reject the body
 * @throws whatever `accept` throws; HttpError 400 if the body ends early
 */
export function readBody(payload: Readable, accept: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let buffer: Buffer = Buffer.alloc(0);
    const finish = (settle: () => void) => {
      payload.off("data", onData).off("end", onEnd).off("error", onStop).off("close", onStop);
      settle();
    };
    const onData = (part: Buffer) => {
      try {
        accept(bytes + part.length);
      } catch (error) {
        return finish(() => reject(error));
      }
      buffer = withRoom(buffer, bytes, part.length);
      bytes += part.copy(buffer, bytes);
    };
    const onEnd = () => finish(() => resolve(buffer.subarray(0, bytes)));
    const onStop = () => finish(() => reject(new HttpError(400, "The body ended early.")));
    payload.on("data", onData).on("end", onEnd).on("error", onStop).on("close", onStop);
    payload.resume();
  });
}

/**
 * Returns the buffer, or a larger one with the same bytes. The size doubles, so that copying stays linear.
 */
function withRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (used + more <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * used, used + more));
  buffer.copy(larger, 0, 0, used);
  return larger;
}
