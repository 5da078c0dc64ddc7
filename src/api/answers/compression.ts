import type { IncomingHttpHeaders } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { promisify } from "node:util";
import zlib, { type BrotliOptions, type InputType, type ZlibOptions } from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Encoding, encodingFor } from "./accepted-encoding.ts";
import { BufferedAnswer } from "./unread/buffered-answer.ts";

/** Minimum size of an answer that is compressed: smaller ones fit into one packet anyway. */
const MIN_BYTES = 1024;

/**
 * Maximum size of an answer that is compressed in this thread. Compressing it takes at most 0.2 ms, no longer
 * than moving it to another thread would take. Larger answers would delay other requests.
 */
const MAX_INLINE_BYTES = 64 * 1024;

/** The fastest levels that still make answers small: bench/RESULTS.md has the figures of all levels. */
const BROTLI: BrotliOptions = {
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 1,
    [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
  },
};
const GZIP: ZlibOptions = { level: 1 };

interface Compressor {
  now(body: InputType): Buffer;
  later(body: InputType): Promise<Buffer>;
  stream(): Transform;
}

const brotliLater = promisify<InputType, BrotliOptions, Buffer>(zlib.brotliCompress);
const gzipLater = promisify<InputType, ZlibOptions, Buffer>(zlib.gzip);

const COMPRESSORS: Record<Encoding, Compressor> = {
  br: {
    now: (body) => zlib.brotliCompressSync(body, BROTLI),
    later: (body) => brotliLater(body, BROTLI),
    stream: () => zlib.createBrotliCompress(BROTLI),
  },
  gzip: {
    now: (body) => zlib.gzipSync(body, GZIP),
    later: (body) => gzipLater(body, GZIP),
    stream: () => zlib.createGzip(GZIP),
  },
};

/**
 * Text formats, which are compressed. Parquet and Arrow are not text, and the explorer's files were
 * compressed by its build.
 */
const TEXT_TYPES = ["application/json", "application/x-ndjson", "text/"];

/** Compresses answers for clients that accept a content encoding. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (!isAnswer(payload) || sizeOf(payload) < MIN_BYTES || !isText(reply)) return payload;
    if (!reply.hasHeader("vary")) reply.header("vary", "Accept-Encoding");
    const encoding = encodingFor(request.headers["accept-encoding"]);
    if (encoding === null) return payload;
    reply.header("content-encoding", encoding).removeHeader("content-length");
    return compressed(payload, COMPRESSORS[encoding]);
  });
}

/**
 * Returns whether a buffered answer may be compressed in memory, as a whole. If so, it leaves its buffer and
 * no longer counts towards the buffer's limit.
 */
export function isCompressedWhole(answer: BufferedAnswer, headers: IncomingHttpHeaders): boolean {
  return answer.whole !== null && encodingFor(headers["accept-encoding"]) !== null;
}

type Answer = string | Buffer | BufferedAnswer;

function isAnswer(payload: unknown): payload is Answer {
  return typeof payload === "string" || payload instanceof Buffer || payload instanceof BufferedAnswer;
}

function sizeOf(answer: Answer): number {
  return answer instanceof BufferedAnswer ? answer.bytes : answer.length;
}

function isText(reply: FastifyReply): boolean {
  const type = String(reply.getHeader("content-type"));
  return !reply.hasHeader("content-encoding") && TEXT_TYPES.some((text) => type.startsWith(text));
}

function compressed(answer: Answer, compressor: Compressor): Promise<Buffer> | Buffer | Transform {
  const whole = answer instanceof BufferedAnswer ? answer.takeWhole() : answer;
  if (whole !== null)
    return whole.length <= MAX_INLINE_BYTES ? compressor.now(whole) : compressor.later(whole);
  const stream = compressor.stream();
  // Closes the answer's file if the client disconnects, and ends the response if the file cannot be read.
  pipeline(answer as BufferedAnswer, stream, () => undefined);
  return stream;
}
