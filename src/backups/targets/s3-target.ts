import { type Piece, PieceReader } from "./pieces.ts";
import { lockBucket } from "./s3-lock.ts";
import { elementOf, elementsOf, LongAnswer, type S3Options, S3Requests, StoreFailed } from "./s3-requests.ts";
import type { BackupTarget, StoredFile } from "./target.ts";
import { MissingFile } from "./target-errors.ts";

/** Sizes of the pieces of a file, which are held in memory. */
export interface PieceSizes {
  bytes: number;
  /** Size of the pieces after the first `firstPieces`. */
  laterBytes: number;
  firstPieces: number;
}

/** A file has at most 10,000 pieces: the first 2,000 hold 31 GiB, and all hold half a terabyte. */
const PIECES: PieceSizes = { bytes: 16 * 1024 ** 2, laterBytes: 64 * 1024 ** 2, firstPieces: 2_000 };

/** Opens a bucket of an S3-compatible store, or a prefix of its keys. */
export function s3Target(options: S3Options, pieces = PIECES): BackupTarget {
  return new S3Target(new S3Requests(options), pieces);
}

/** Maximum number of times that a download continues after its connection broke. */
const MAX_CONTINUATIONS = 5;

/** Maximum number of files and pages of a list. A backup of many chains has 100,000 files. */
const MAX_LISTED = 2_000_000;

const NOT_FOUND = 404;

class S3Target implements BackupTarget {
  /**
   * Several files at a time hide the response time of the store. For each file, one piece and the copy that
   * is being sent are in memory: 128 MiB in all. A later, larger piece adds 112 MiB, and only one file at a
   * time has such pieces.
   */
  readonly parallel = 4;
  readonly #requests: S3Requests;
  readonly #pieces: PieceSizes;
  /** Buffers of files that have been written, for reuse. */
  readonly #buffers: Uint8Array[] = [];
  /** Settles when no file with later pieces is being written. */
  #largeFile: Promise<unknown> = Promise.resolve();

  constructor(requests: S3Requests, pieces: PieceSizes) {
    this.#requests = requests;
    this.#pieces = pieces;
  }

  get place(): string {
    return this.#requests.place;
  }

  async list(prefix: string): Promise<StoredFile[]> {
    const start = this.#requests.prefix;
    const files: StoredFile[] = [];
    const pages = new Set<string | undefined>();
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      if (pages.has(token) || pages.size + files.length > MAX_LISTED) throw new LongAnswer(this.place);
      pages.add(token);
      const page = token === undefined ? {} : { "continuation-token": token };
      const query = { "list-type": "2", "encoding-type": "url", prefix: `${start}${prefix}`, ...page };
      const xml = await this.#requests.text(await this.#requests.send({ method: "GET", query }));
      for (const entry of elementsOf(xml, "Contents")) {
        const name = keyOf(entry).slice(start.length);
        files.push({ name, bytes: Number(elementOf(entry, "Size")) });
      }
      token = elementOf(xml, "NextContinuationToken");
    }
    return files;
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    let offset = 0;
    for (let broken = 0; ; broken++) {
      const response = await this.#open(name, offset);
      try {
        for await (const chunk of this.#requests.body(response)) {
          offset += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        if (broken === MAX_CONTINUATIONS) throw error;
      }
    }
  }

  async write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const reader = new PieceReader(chunks);
    const buffer = this.#buffers.pop() ?? Buffer.allocUnsafe(this.#pieces.bytes);
    try {
      const { bytes, isLast } = await reader.read(buffer);
      if (isLast) await this.#requests.send({ method: "PUT", key: name, body: bytes });
      else await this.#writePieces(name, reader, buffer);
    } finally {
      this.#buffers.push(buffer);
      await reader.close();
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const key of names) await this.#requests.send({ method: "DELETE", key, accepts: [NOT_FOUND] });
  }

  async freeBytes(): Promise<number | null> {
    return null;
  }

  async lock(onLost: (error: Error) => void): Promise<{ release(): Promise<void> }> {
    const lock = await lockBucket(this.#requests, onLost);
    await this.#removeUploads();
    return lock;
  }

  /** @throws MissingFile */
  async #open(name: string, offset: number): Promise<Response> {
    const headers = offset === 0 ? {} : { range: `bytes=${offset}-` };
    const response = await this.#requests.send({ method: "GET", key: name, headers, accepts: [NOT_FOUND] });
    if (response.status !== NOT_FOUND) return response;
    await response.body?.cancel();
    throw new MissingFile(this.place, name);
  }

  /** @param buffer buffer for a piece, filled with the first piece */
  async #writePieces(key: string, reader: PieceReader, buffer: Uint8Array): Promise<void> {
    const begun = await this.#requests.send({ method: "POST", key, query: { uploads: "" } });
    const uploadId = elementOf(await this.#requests.text(begun), "UploadId") ?? "";
    const tags: string[] = [];
    const send = async ({ bytes }: Piece) => {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const response = await this.#requests.send({ method: "PUT", key, query, body: bytes });
      tags.push(response.headers.get("etag") ?? "");
    };
    try {
      let piece: Piece = { bytes: buffer, isLast: false };
      await send(piece);
      while (!piece.isLast && tags.length < this.#pieces.firstPieces) {
        piece = await reader.read(buffer);
        await send(piece);
      }
      if (!piece.isLast) await this.#alone(() => sendRest(reader, this.#pieces.laterBytes, send));
      const listed = tags.map(
        (tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${listed.join("")}</CompleteMultipartUpload>`;
      const completed = await this.#requests.send({ method: "POST", key, query: { uploadId }, body });
      // The status is sent before the pieces are joined, so a failure is reported only in the body.
      const result = await this.#requests.text(completed);
      if (elementOf(result, "Error") !== undefined) throw new StoreFailed(this.place, 200, result);
    } catch (error) {
      await this.#abort(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  /** Runs `write`, which sends the later pieces of a file, for one file at a time. */
  #alone(write: () => Promise<void>): Promise<void> {
    const written = this.#largeFile.then(write);
    this.#largeFile = written.catch(() => undefined);
    return written;
  }

  async #abort(key: string, uploadId: string): Promise<void> {
    await this.#requests.send({ method: "DELETE", key, query: { uploadId }, accepts: [NOT_FOUND] });
  }

  /** Removes the pieces of interrupted uploads, which would be charged for but never listed. */
  async #removeUploads(): Promise<void> {
    const { prefix } = this.#requests;
    const query = { uploads: "", "encoding-type": "url", prefix: `${prefix}parts/` };
    const xml = await this.#requests.text(await this.#requests.send({ method: "GET", query }));
    for (const upload of elementsOf(xml, "Upload"))
      await this.#abort(keyOf(upload).slice(prefix.length), elementOf(upload, "UploadId") ?? "");
  }
}

function keyOf(xml: string): string {
  return decodeURIComponent((elementOf(xml, "Key") ?? "").replaceAll("+", " "));
}

/** Sends the rest of a file in pieces of the given size. */
async function sendRest(
  reader: PieceReader,
  pieceBytes: number,
  send: (piece: Piece) => Promise<void>,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (let isLast = false; !isLast; ) {
    const piece = await reader.read(buffer);
    await send(piece);
    isLast = piece.isLast;
  }
}
