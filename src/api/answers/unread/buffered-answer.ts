import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { BaseError } from "../../../lib/error.ts";
import { fairShare } from "../../../lib/queues/fair-share.ts";
import { type ApiLimits, SMALL_ANSWER_BYTES } from "../../admission/limits.ts";
import { type DiskLimits, DiskShare, diskFailure } from "./answer-disk.ts";

type BufferLimits = DiskLimits & Pick<ApiLimits, "answerMemoryBytes" | "answerBytes">;

/** Bytes written to the file at a time: many, because every write waits for a thread. */
const CHUNK_BYTES = 1024 * 1024;

/** Bytes read at a time. Each reader that waits for its client holds this much in memory. */
const READ_BYTES = 256 * 1024;

/** Bytes sent at a time: few, so that even a slow client shows some progress within a short time. */
const SENT_BYTES = 64 * 1024;

/** Maximum share of the memory for answers that a small answer may take when there is no room left. */
const SMALL_SHARE = 1 / 1024;

const EMPTY = new Uint8Array();

let totalBytes = 0;

/**
 * Returns the bytes that the answers of this process hold in memory, including answers that their clients
 * read slowly.
 */
export function bufferedBytes(): number {
  return totalBytes;
}

/**
 * Collects an answer before its first byte is sent. Any part that does not fit into its share of memory goes
 * into a temporary file. An answer's headers report its outcome (status, truncation, time), so the outcome
 * must be known before they are sent.
 *
 * @param client the client towards whose limit temporary files count
 * @throws AnswerTooLarge, ClientHoldsTooMuch, NoDiskForAnswers, and whatever `pieces` throws
 */
export async function bufferAnswer(
  pieces: AsyncIterable<Uint8Array>,
  limits: BufferLimits,
  client: string,
): Promise<BufferedAnswer> {
  const disk = new DiskShare(client, limits);
  const answer = new BufferedAnswer(limits.answerMemoryBytes, client, {
    pieces: [],
    pieceBytes: 0,
    file: undefined,
    disk,
    readers: [],
  });
  try {
    for await (const piece of pieces) {
      if (answer.bytes + piece.length > limits.answerBytes) throw new AnswerTooLarge(limits.answerBytes);
      await answer.add(piece);
    }
    await answer.complete();
  } catch (error) {
    await answer.discard();
    throw diskFailure(error);
  }
  return answer;
}

/** State shared by the readers of one answer. */
interface Content {
  /** The start of the answer; pieces that the only reader has read are empty. */
  pieces: Uint8Array[];
  pieceBytes: number;
  /** The rest of the answer. */
  file: FileHandle | undefined;
  /** Counts towards the limit of one of the clients that are still reading. */
  disk: DiskShare;
  /** The clients whose readers have not ended. */
  readers: string[];
}

/** An answer whose start is in memory and whose rest is in a file. */
export class BufferedAnswer extends Readable {
  /** Maximum memory of all answers together. */
  readonly #memoryBytes: number;
  readonly #client: string;
  readonly #content: Content;
  #piecesRead = 0;
  /** The current write to the file; the next pieces are collected in the meantime. */
  #writing: Promise<void> = Promise.resolve();
  #unwritten: Uint8Array[] = [];
  #unwrittenBytes = 0;
  #fileBytesRead = 0;
  #bytes = 0;
  /** Bytes that the next reads return before anything else. */
  #next: Uint8Array = EMPTY;
  #bytesPushed = 0;

  constructor(memoryBytes: number, client: string, content: Content) {
    super({ highWaterMark: SENT_BYTES });
    this.#memoryBytes = memoryBytes;
    this.#client = client;
    this.#content = content;
    content.readers.push(client);
  }

  /** The client that reads the answer. */
  get client(): string {
    return this.#client;
  }

  /** Whether part of the answer is in a temporary file. */
  get isOnDisk(): boolean {
    return this.#content.file !== undefined;
  }

  /** Number of bytes that the reader has taken so far. */
  get bytesRead(): number {
    return this.#bytesPushed - this.readableLength;
  }

  /** Number of bytes added so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async add(piece: Uint8Array): Promise<void> {
    // An empty piece would look like the end of the pieces in memory.
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#hasRoom(piece.length)) {
      this.#content.pieces.push(piece);
      this.#content.pieceBytes += piece.length;
      totalBytes += piece.length;
      return;
    }
    this.#unwritten.push(piece);
    this.#unwrittenBytes += piece.length;
    if (this.#unwrittenBytes >= Math.min(CHUNK_BYTES, this.#memoryBytes)) await this.#write();
  }

  async complete(): Promise<void> {
    if (this.#unwrittenBytes > 0) await this.#write();
    await this.#writing;
    const { pieces, pieceBytes } = this.#content;
    if (pieces.length > 1 && pieceBytes <= CHUNK_BYTES) this.#content.pieces = [Buffer.concat(pieces)];
  }

  /**
   * Returns a reader of the same answer for another client. Requires a complete answer that is still unread.
   */
  copy(client: string): BufferedAnswer {
    const copy = new BufferedAnswer(this.#memoryBytes, client, this.#content);
    copy.#bytes = this.#bytes;
    return copy;
  }

  /** The complete answer, if it is in memory in one piece; otherwise null. Callers must not change it. */
  get whole(): Uint8Array | null {
    const { file, pieces } = this.#content;
    const [whole = EMPTY, ...more] = pieces;
    return file !== undefined || more.length > 0 ? null : whole;
  }

  /** Like `whole`, but also ends this reader unless it returns null. */
  takeWhole(): Uint8Array | null {
    const { whole } = this;
    if (whole !== null) this.destroy();
    return whole;
  }

  /** Resolves when the answer takes no space any more, except for other readers of it. */
  discard(): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => void this.once("close", resolve).destroy());
  }

  /**
   * Returns whether more bytes of the answer may stay in memory. An answer may take at most half of the free
   * memory, which leaves room for the next one. A small answer always stays in memory: many clients could
   * otherwise take the memory and the disk down to the last bytes, and keep all other clients out.
   */
  #hasRoom(bytes: number): boolean {
    const { file, pieceBytes } = this.#content;
    if (file !== undefined || this.#unwrittenBytes > 0) return false;
    const small = Math.min(SMALL_ANSWER_BYTES, this.#memoryBytes * SMALL_SHARE);
    if (pieceBytes + bytes <= small) return true;
    const others = totalBytes - pieceBytes;
    return pieceBytes + bytes <= fairShare(others, this.#memoryBytes);
  }

  async #write(): Promise<void> {
    const [first = EMPTY, ...more] = this.#unwritten;
    const chunk = more.length === 0 ? first : Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    await this.#content.disk.take(chunk.length);
    this.#content.file ??= await openNamelessFile();
    await this.#writing;
    this.#writing = this.#content.file.appendFile(chunk);
    // The next write or complete() awaits this write. Until then, its failure must not be an unhandled
    // rejection.
    this.#writing.catch(() => {});
  }

  override _read(): void {
    if (this.#next.length === 0) this.#next = this.#nextPiece();
    if (this.#next.length > 0) {
      this.#pushPart();
    } else if (this.#content.file === undefined) {
      this.push(null);
    } else {
      this.#readFile(this.#content.file).catch((error) => this.destroy(error));
    }
  }

  /**
   * Returns the next piece; an empty one after the last. Pieces are freed once the only reader has read them.
   */
  #nextPiece(): Uint8Array {
    const { pieces, readers } = this.#content;
    const piece = pieces[this.#piecesRead] ?? EMPTY;
    if (readers.length === 1) this.#release(this.#piecesRead);
    this.#piecesRead++;
    return piece;
  }

  async #readFile(file: FileHandle): Promise<void> {
    const chunk = Buffer.allocUnsafeSlow(READ_BYTES);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, this.#fileBytesRead);
    this.#fileBytesRead += bytesRead;
    this.#next = chunk.subarray(0, bytesRead);
    if (bytesRead === 0) this.push(null);
    else this.#pushPart();
  }

  #pushPart(): void {
    const part = this.#next.subarray(0, SENT_BYTES);
    this.#next = this.#next.subarray(part.length);
    this.#bytesPushed += part.length;
    this.push(part);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const { readers, disk } = this.#content;
    readers.splice(readers.indexOf(this.#client), 1);
    const [next] = readers;
    if (next !== undefined && !readers.includes(this.#client)) disk.moveTo(next);
    const closed = next === undefined ? this.#releaseAll() : Promise.resolve();
    closed.then(() => done(error), done);
  }

  async #releaseAll(): Promise<void> {
    const { pieces, file, disk } = this.#content;
    for (const i of pieces.keys()) this.#release(i);
    try {
      // The handle closes after pending reads and writes.
      await file?.close();
    } finally {
      disk.release();
    }
  }

  #release(i: number): void {
    const bytes = this.#content.pieces[i]?.length ?? 0;
    if (bytes === 0) return;
    this.#content.pieces[i] = EMPTY;
    this.#content.pieceBytes -= bytes;
    totalBytes -= bytes;
  }
}

/** Opens a temporary file and unlinks it: the system deletes it on close, no matter how the process ends. */
async function openNamelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "quarry-answer-"));
  try {
    return await open(join(folder, "answer"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class AnswerTooLarge extends BaseError {
  constructor(maxBytes: number) {
    super(
      "too-large",
      `The answer is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Request fewer columns, or set a lower LIMIT or size.`,
    );
  }
}
