import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";
import { Readable } from "node:stream";
import { promisify } from "node:util";

const READ_END = constants.O_RDONLY | constants.O_NONBLOCK;
const WRITE_END = constants.O_WRONLY | constants.O_NONBLOCK;

/** Capacity of a pipe, and the maximum that one read returns. Most answers are smaller. */
const PIPE_BYTES = 64 * 1024;

/**
 * Maximum size of the pieces of a stream. Every piece has a fixed cost in streams and loops, so the pieces of
 * large answers are large.
 */
const PIECE_BYTES = 1024 * 1024;

/** Creates named pipes; Node has no function for them. */
export async function makePipes(paths: readonly string[]): Promise<void> {
  await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
}

interface Writer<T> {
  /** Writes the answer into the pipe, and closes it. */
  write(): Promise<T>;
  /** Stops the writing after the reader has failed; repeated until `write` ends. */
  stop(): void;
}

/** Interval at which a writer is stopped again after its reader has failed. */
const STOP_INTERVAL_MS = 100;

/**
 * Runs a writer that writes into a pipe, and passes the content of the pipe to `consume`. An engine that
 * writes an answer to a file on a full disk drops the rest and reports success. With a pipe, Node writes the
 * file, and reports the error.
 *
 * @returns the result of `write`, after everything is consumed
 * @throws the error of `consume` or `write`; if both fail, the one that caused the other
 */
export async function streamThroughPipe<T>(
  pipe: string,
  consume: (chunks: Readable) => Promise<void>,
  writer: Writer<T>,
): Promise<T> {
  const reader = readPipe(openSync(pipe, READ_END));
  const consumed = consume(reader);
  const stopWriter = () => {
    writer.stop();
    releaseWriter(pipe);
  };
  let isWriting = true;
  let stopping: NodeJS.Timeout | undefined;
  consumed.catch(() => {
    if (!isWriting) return;
    stopWriter();
    stopping = setInterval(stopWriter, STOP_INTERVAL_MS);
  });
  const ended = () => {
    isWriting = false;
    clearInterval(stopping);
  };
  let written: T;
  try {
    written = await writer.write().finally(ended);
  } catch (error) {
    reader.destroy();
    throw await consumed.then(
      () => error,
      (reason) => (isPrematureClose(reason) ? error : reason),
    );
  }
  endPipe(pipe);
  await consumed;
  return written;
}

/**
 * Releases a writer that waits for a reader to open the pipe: the reader may have closed it before the writer
 * opened it, and the writer would then wait forever. With no reader left, its first write fails.
 */
function releaseWriter(pipe: string): void {
  closeSync(openSync(pipe, READ_END));
}

/** Reads a pipe in large pieces. Each piece is filled by successive reads, without copying. */
function readPipe(fd: number): Readable {
  let piece = Buffer.allocUnsafeSlow(PIPE_BYTES);
  let filled = 0;
  const options: SocketConstructorOpts & { onread: OnReadOpts } = {
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: () => piece.subarray(filled),
      callback: (bytes) => {
        filled += bytes;
        return filled < piece.length || pushPiece();
      },
    },
  };
  const socket = new Socket(options);
  const pieces = new Readable({
    highWaterMark: PIECE_BYTES,
    read: () => void socket.resume(),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  const pushPiece = () => {
    const full = piece.subarray(0, filled);
    piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, 2 * piece.length));
    filled = 0;
    return pieces.push(full);
  };
  socket.on("error", (error) => pieces.destroy(error));
  socket.on("end", () => {
    if (filled > 0) pieces.push(piece.subarray(0, filled));
    pieces.push(null);
  });
  return pieces;
}

/** Ends the reader of a pipe that a statement without an answer never opened. */
function endPipe(pipe: string): void {
  try {
    closeSync(openSync(pipe, WRITE_END));
  } catch (error) {
    // ENXIO: the reader has already ended.
    if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Writes a file that does not exist yet. */
export async function writeChunks(
  file: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const handle = await open(file, "wx");
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}
