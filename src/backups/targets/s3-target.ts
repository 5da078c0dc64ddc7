import { lockBucket } from "./s3-lock.ts";
import { elementOf, elementsOf, type S3Options, S3Requests, StoreFailed } from "./s3-requests.ts";
import type { BackupTarget, StoredFile } from "./target.ts";
import { MissingFile } from "./target-errors.ts";

/** Opens a bucket of an S3-compatible store, or a prefix of its keys. */
export function s3Target(options: S3Options): BackupTarget {
  return new S3Target(new S3Requests(options));
}

/**
 * Size of the pieces of a file, which are held in memory. A file has at most 10,000 of them, so later pieces
 * are larger: 32 GB in small ones, then up to half a terabyte.
 */
const PIECE_BYTES = 16 * 1024 ** 2;
const LATER_PIECE_BYTES = 64 * 1024 ** 2;
const SMALL_PIECES = 2_000;

/** Maximum number of times that a download continues after its connection broke. */
const MAX_CONTINUATIONS = 5;

const NOT_FOUND = 404;

class S3Target implements BackupTarget {
  /** Hides the time that a store takes to respond, with at most 64 MiB of memory for pieces. */
  readonly parallel = 4;
  readonly #requests: S3Requests;

  constructor(requests: S3Requests) {
    this.#requests = requests;
  }

  get place(): string {
    return this.#requests.place;
  }

  async list(prefix: string): Promise<StoredFile[]> {
    const start = this.#requests.prefix;
    const files: StoredFile[] = [];
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const page = token === undefined ? {} : { "continuation-token": token };
      const query = { "list-type": "2", "encoding-type": "url", prefix: `${start}${prefix}`, ...page };
      const xml = await (await this.#requests.send({ method: "GET", query })).text();
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
        for await (const chunk of response.body ?? []) {
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
    const pieces = inPieces(chunks);
    const first = await pieces.next();
    const second = await pieces.next();
    const body = first.done === true ? new Uint8Array() : first.value;
    if (second.done === true) await this.#requests.send({ method: "PUT", key: name, body });
    else await this.#writePieces(name, prepended([body, second.value], pieces));
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

  async #writePieces(key: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const begun = await this.#requests.send({ method: "POST", key, query: { uploads: "" } });
    const uploadId = elementOf(await begun.text(), "UploadId") ?? "";
    try {
      const tags: string[] = [];
      for await (const body of pieces) {
        const query = { partNumber: String(tags.length + 1), uploadId };
        const response = await this.#requests.send({ method: "PUT", key, query, body });
        tags.push(response.headers.get("etag") ?? "");
      }
      const listed = tags.map(
        (tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${listed.join("")}</CompleteMultipartUpload>`;
      const completed = await this.#requests.send({ method: "POST", key, query: { uploadId }, body });
      // The status is sent before the pieces are joined, so a failure is only in the body.
      const result = await completed.text();
      if (elementOf(result, "Error") !== undefined) throw new StoreFailed(this.place, 200, result);
    } catch (error) {
      await this.#abort(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  async #abort(key: string, uploadId: string): Promise<void> {
    await this.#requests.send({ method: "DELETE", key, query: { uploadId }, accepts: [NOT_FOUND] });
  }

  /** Removes the pieces of interrupted uploads, which would be charged for but never listed. */
  async #removeUploads(): Promise<void> {
    const { prefix } = this.#requests;
    const query = { uploads: "", "encoding-type": "url", prefix: `${prefix}parts/` };
    const xml = await (await this.#requests.send({ method: "GET", query })).text();
    for (const upload of elementsOf(xml, "Upload"))
      await this.#abort(keyOf(upload).slice(prefix.length), elementOf(upload, "UploadId") ?? "");
  }
}

function keyOf(xml: string): string {
  return decodeURIComponent((elementOf(xml, "Key") ?? "").replaceAll("+", " "));
}

/** Joins chunks into pieces of the size that is uploaded at once. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let pieces = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < (pieces < SMALL_PIECES ? PIECE_BYTES : LATER_PIECE_BYTES)) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
    pieces++;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

async function* prepended(
  first: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}
