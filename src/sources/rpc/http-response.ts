import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { BaseError } from "../../lib/error.ts";

const unzip = promisify(gunzip);

/**
 * The whole body as text.
 *
 * @throws ResponseTooLarge when it exceeds `maxBytes`, compressed or not
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
  return (await unzip(body, { maxOutputLength: maxBytes })).toString();
}

/**
 * The wait that a Retry-After header requests, in milliseconds; null without one. It gives seconds or a date.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || text.trim() === "") return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

export class ResponseTooLarge extends BaseError {
  constructor(maxBytes: number) {
    super("too-large", `the response exceeds ${maxBytes} bytes`, { retryable: true });
  }
}
