/**
 * Decodes Parquet files for the process that started this one. A damaged page can make the library write
 * billions of values. Node.js then ends the whole process, even if the decoding runs in a thread. Requests
 * come one at a time.
 */
import { Worker } from "node:worker_threads";
import { BaseError } from "../../../lib/error.ts";
import { type SentError, sentError } from "../../../lib/sent-error.ts";
import { type SentCells, sentCells } from "./cells.ts";
import { ParquetDecoder } from "./decoder.ts";
import type { Layout, RowGroup } from "./layout.ts";

/** A file that the requesting process has open. */
export interface DecodedFile {
  id: number;
  path: string;
}

/** A request to the process that decodes Parquet files. */
export type DecodeRequest = { file: DecodedFile } & (
  | { kind: "open" }
  | { kind: "cells"; group: RowGroup; column: string }
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
      const cells = await (await opened(file)).cells(request.group, request.column);
      return { kind: "cells", cells: sentCells(cells) };
    }
    case "close":
      await files.get(file.id)?.close();
      files.delete(file.id);
      return { kind: "close" };
  }
}

/**
 * Ends this process when its parent is gone. This takes a thread, because no event is handled while a file is
 * decoded. The thread does not keep the process alive.
 */
const WATCH = `const { ppid } = process;
setInterval(() => { if (process.ppid !== ppid) process.kill(process.pid, "SIGKILL"); }, 1000);`;
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
