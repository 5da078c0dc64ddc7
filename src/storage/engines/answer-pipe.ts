import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";
import { Readable } from "node:stream";
import { promisify } from "node:util";

const READ_END = constants.O_RDONLY | constants.O_NONBLOCK;
const WRITE_END = constants.O_WRONLY | constants.O_NONBLOCK;

/** What a pipe holds, and gives at once. Most answers are smaller. */
const PIPE_BYTES = 64 * 1024;

/** Every piece costs its way through streams and loops, whatever its size. */
const PIECE_BYTES = 1024 * 1024;

/** Makes named pipes; Node has no call of its own for them. */
export async function makePipes(paths: readonly string[]): Promise<void> {
  await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
}

interface Writer<T> {
  /** Writes the answer into the pipe, and closes it. */
  write(): Promise<T>;
  /** Ends the writing, because nobody reads any more. */
  stop(): void;
}

/**
 * Runs a writer that writes into a pipe, and has what comes out of it taken. The engine drops what does not fit on a
 * full disk and reports success; here the disk is written by Node, which does not.
 *
 * @returns what `write` gave, once all is taken
 * @throws what `take` or `write` throws; when both do, what does not follow from the other
 */
export async function takeFromPipe<T>(
  pipe: string,
  take: (chunks: Readable) => Promise<void>,
  writer: Writer<T>,
): Promise<T> {
  const reader = readPipe(openSync(pipe, READ_END));
  const taking = take(reader);
  taking.catch(() => writer.stop());
  let written: T;
  try {
    written = await writer.write();
  } catch (error) {
    reader.destroy();
    throw await taking.then(
      () => error,
      (reason) => (isPrematureClose(reason) ? error : reason),
    );
  }
  endPipe(pipe);
  await taking;
  return written;
}

/** What comes out of a pipe, in large pieces: reads fill one piece after the other, and nothing is copied. */
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
        return filled < piece.length || handOn();
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
  const handOn = () => {
    const full = piece.subarray(0, filled);
    piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
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

/** A statement without an answer never opens the pipe; this lets its reader see an end all the same. */
function endPipe(pipe: string): void {
  try {
    closeSync(openSync(pipe, WRITE_END));
  } catch (error) {
    // ENXIO: the reader has seen the end already.
    if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Writes a new file. */
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
