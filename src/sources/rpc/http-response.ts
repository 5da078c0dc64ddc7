import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { BaseError } from "../../lib/error.ts";

const unzip = promisify(gunzip);

/**
 * Reads the whole body as text.
 *
 * @throws ResponseTooLarge if the body exceeds `maxBytes`, as sent or decompressed; an error of zlib if the
 * compressed body is damaged
 */
export async function readText(response: Dispatcher.ResponseData, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new ResponseTooLarge(maxBytes);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (response.headers["content-encoding"] !== "gzip") return body.toString();
  try {
    return (await unzip(body, { maxOutputLength: maxBytes })).toString();
  } catch (error) {
    // zlib stops with a RangeError at its maximum length.
    throw error instanceof RangeError ? new ResponseTooLarge(maxBytes) : error;
  }
}

export class ResponseTooLarge extends BaseError {
  constructor(maxBytes: number) {
    super("too-large", `the response exceeds ${maxBytes} bytes`, { retryable: true });
  }
}
