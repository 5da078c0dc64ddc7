/**
 * Decodes Parquet files for the process that started this one. A damaged page can make the library write
 * billions of values. Node.js then ends the whole process, even if the decoding runs in a thread. Requests
 * come one at a time.
 */
import { Worker } from "node:worker_threads";
import { BaseError } from "../../../lib/error.ts";
import { type SentError, sentError } from "../../../lib/sent-error.ts";
import { type SentCells, sentCells, sizeOfCells } from "../../rows/cells/sent-cells.ts";
import { ParquetDecoder } from "./decoder.ts";
import { type Layout, type RowGroup, TooManyBytes } from "./layout.ts";

/** A file that the requesting process has open. */
export interface DecodedFile {
  id: number;
  path: string;
}

/** A request to the process that decodes Parquet files. */
export type DecodeRequest = { file: DecodedFile } & (
  | { kind: "open" }
  | { kind: "cells"; group: RowGroup; column: string; maxBytes: number }
  | { kind: "close" }
);

/** A response to a request of the same kind, or its error. */
export type DecodeResponse =
  | { kind: "open"; layout: Layout }
  | { kind: "cells"; cells: SentCells }
  | { kind: "close" }
  | { kind: "failed"; error: SentError };

/** The open files, by id. */
const files = new Map<number, ParquetDecoder>();

/** Returns the open file. If an earlier decoder process opened it, this one must open it again. */
async function opened({ id, path }: DecodedFile): Promise<ParquetDecoder> {
  const open = files.get(id) ?? (await ParquetDecoder.open(path));
  files.set(id, open);
  return open;
}

async function respond(request: DecodeRequest): Promise<DecodeResponse> {
  const { file } = request;
  switch (request.kind) {
    case "open":
      return { kind: "open", layout: (await opened(file)).layout };
    case "cells": {
      const { group, column, maxBytes } = request;
      const { values, isText } = await (await opened(file)).cells(group, column);
      const cells = sentCells(values, isText);
      if (sizeOfCells(cells) > maxBytes) throw new TooManyBytes(file.path, group);
      return { kind: "cells", cells };
    }
    case "close":
      await files.get(file.id)?.close();
      files.delete(file.id);
      return { kind: "close" };
  }
}

/** Maximum memory of this process in MiB, which its parent sets. */
const [MAX_MEMORY_MIB] = process.argv.slice(2);

/**
 * Ends this process when its parent is gone, or when it takes too much memory: the limit on the heap does not
 * include decompressed pages, and a few kilobytes of a file may expand to gigabytes. This takes a thread,
 * because no event is handled while a file is decoded. The thread does not keep the process alive.
 */
const WATCH = `const { ppid } = process;
const most = ${Number(MAX_MEMORY_MIB)} * 2 ** 20;
setInterval(() => {
  if (process.ppid !== ppid) process.kill(process.pid, "SIGKILL");
  if (process.memoryUsage.rss() > most) process.kill(process.pid, "SIGABRT");
}, 200);`;
new Worker(WATCH, { eval: true }).unref();

// A terminal sends these signals to all processes of a command, but this process ends when its parent does.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});

process.on("message", (request: DecodeRequest) => {
  respond(request).then(
    (response) => process.send?.(response),
    (error: unknown) => {
      if (!(error instanceof BaseError)) throw error;
      process.send?.({ kind: "failed", error: sentError(error) } satisfies DecodeResponse);
    },
  );
});
process.on("disconnect", () => process.exit());
