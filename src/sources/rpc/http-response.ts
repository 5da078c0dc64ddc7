import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { BaseError } from "../../lib/error.ts";

const unzip = promisify(gunzip);

/** The whole body of a response, still compressed if it was sent compressed. */
export class ResponseBody {
  /** Size as sent, in bytes. */
  readonly size: number;
  readonly isGzip: boolean;
  readonly maxBytes: number;
  readonly #chunks: readonly Buffer[];

  constructor(chunks: readonly Buffer[], options: { isGzip: boolean; maxBytes: number }) {
    this.#chunks = chunks;
    this.size = chunks.reduce((sum, { length }) => sum + length, 0);
    this.isGzip = options.isGzip;
    this.maxBytes = options.maxBytes;
  }

  /**
   * @throws ResponseTooLarge if the decompressed body exceeds `maxBytes`; an error of zlib if the compressed
   * body is damaged
   */
  async text(): Promise<string> {
    const body = Buffer.concat(this.#chunks);
    if (!this.isGzip) return body.toString();
    try {
      return (await unzip(body, { maxOutputLength: this.maxBytes })).toString();
    } catch (error) {
      // zlib throws a RangeError if the decompressed body exceeds `maxOutputLength`.
      throw error instanceof RangeError ? new ResponseTooLarge(this.maxBytes) : error;
    }
  }

  /** Returns a copy of the bytes in memory that threads can share. */
  shared(): Uint8Array {
    const bytes = new Uint8Array(new SharedArrayBuffer(this.size));
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

/** @throws ResponseTooLarge if the body as sent exceeds `maxBytes` */
export async function readBody(response: Dispatcher.ResponseData, maxBytes: number): Promise<ResponseBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new ResponseTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return new ResponseBody(chunks, { isGzip: response.headers["content-encoding"] === "gzip", maxBytes });
}

export class ResponseTooLarge extends BaseError {
  constructor(maxBytes: number) {
    super("too-large", `the response exceeds ${maxBytes} bytes`, { retryable: true });
  }
}
