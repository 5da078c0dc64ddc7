import type { ChildProcess } from "node:child_process";
import { basename } from "node:path";
import { BaseError } from "../../../lib/error.ts";
import { ReceivedError } from "../../../lib/sent-error.ts";
import { startProcess } from "../../../lib/threads/start-process.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";
import type { Cells } from "../../rows/cells/cells.ts";
import { receivedCells } from "../../rows/cells/received-cells.ts";
import { sizeOfCells } from "../../rows/cells/sent-cells.ts";
import type { DecodedFile, DecodeRequest, DecodeResponse } from "./decode-process.ts";
import { placeOf } from "./decoder.ts";
import type { Layout, RowGroup } from "./layout.ts";

interface DecodeLimits {
  /** Maximum size of the heap of the process, which holds the values of one column of a row group. */
  heapMiB: number;
  /** Maximum memory of the process. It includes the decompressed pages, which are outside the heap. */
  memoryMiB: number;
  /** Maximum time to decode one column of a row group. */
  timeoutMs: number;
}

/** Far more than a column of the maximum size takes on a slow machine. */
const LIMITS: DecodeLimits = { heapMiB: 2_048, memoryMiB: 4_096, timeoutMs: 120_000 };
/**
 * How long an idle process is kept. A reader of many files opens the next one soon after closing the previous
 * one.
 */
const IDLE_MS = 2_000;

/**
 * Decodes Parquet files in a separate process, one request at a time. A file that takes too much memory or
 * time counts as damaged. A process that ends for another reason is replaced once.
 */
export class DecodeClient {
  readonly #limits: DecodeLimits;
  #process: ChildProcess | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #openFiles = 0;

  constructor(limits: Partial<DecodeLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @throws InvalidFile, UnreadableFile */
  async open(path: string): Promise<{ file: DecodedFile; layout: Layout }> {
    const file = { id: ++this.#lastId, path };
    const { layout } = await this.#ask({ kind: "open", file } as const, "footer");
    this.#openFiles++;
    return { file, layout };
  }

  /**
   * Reads one column of a row group. Returns its values, and their approximate size.
   *
   * @param maxBytes maximum size of the values
   * @throws InvalidFile
   */
  async cells(
    file: DecodedFile,
    group: RowGroup,
    { column, maxBytes }: { column: string; maxBytes: number },
  ): Promise<{ values: Cells; bytes: number }> {
    const request = { kind: "cells", file, group, column, maxBytes } as const;
    const { cells } = await this.#ask(request, placeOf(group, column));
    return { values: receivedCells(cells), bytes: sizeOfCells(cells) };
  }

  async close(file: DecodedFile): Promise<void> {
    this.#openFiles--;
    if (this.#process !== null) await this.#ask({ kind: "close", file } as const, "footer");
  }

  /** @param place for error messages */
  #ask<Request extends DecodeRequest>(request: Request, place: string) {
    const response = this.#last.then(async () => {
      const found = await this.#respond(request, place).catch((error: unknown) => {
        if (error instanceof DecoderEnded) return this.#respond(request, place);
        throw error;
      });
      if (found.kind === "failed") throw new ReceivedError(found.error);
      return found as Extract<DecodeResponse, { kind: Request["kind"] }>;
    });
    this.#last = response.catch(() => {});
    return response;
  }

  async #respond(request: DecodeRequest, place: string): Promise<DecodeResponse> {
    clearTimeout(this.#idle);
    const decoder = this.#running();
    setWaiting(decoder, true);
    try {
      return await this.#exchange(decoder, request, place);
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      setWaiting(decoder, false);
      this.#idle = setTimeout(() => this.#openFiles === 0 && this.#end(), IDLE_MS).unref();
    }
  }

  #running(): ChildProcess {
    if (this.#process !== null) return this.#process;
    const { heapMiB, memoryMiB } = this.#limits;
    const decoder = startProcess(import.meta.url, "decode-process", heapMiB, [`${memoryMiB}`]);
    // Needed even while no request waits: an error event without a listener would end this process.
    decoder.on("error", () => {});
    decoder.on("exit", () => {
      if (this.#process === decoder) this.#process = null;
    });
    this.#process = decoder;
    return decoder;
  }

  #exchange(decoder: ChildProcess, request: DecodeRequest, place: string): Promise<DecodeResponse> {
    const { heapMiB, memoryMiB, timeoutMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timeout);
        decoder.off("message", onMessage);
        decoder.off("error", onError);
        decoder.off("exit", onExit);
        act();
      };
      const fail = (problem: string) =>
        settle(() => reject(new InvalidFile(basename(request.file.path), place, problem)));
      const onMessage = (response: DecodeResponse) => settle(() => resolve(response));
      // The process may have ended before the request reached it.
      const onError = ({ message }: Error) =>
        settle(() => reject(new DecoderEnded(request.file.path, message)));
      const onExit = (code: number | null, signal: string | null) => {
        if (signal === OUT_OF_MEMORY)
          fail(`it cannot be decoded with ${heapMiB} MiB of heap and ${memoryMiB} MiB of memory`);
        else settle(() => reject(new DecoderEnded(request.file.path, signal ?? code)));
      };
      const timeout = setTimeout(() => fail(`it cannot be decoded within ${timeoutMs / 1000} s`), timeoutMs);
      decoder.on("message", onMessage);
      decoder.on("error", onError);
      decoder.on("exit", onExit);
      decoder.send(request);
    });
  }

  #end(): void {
    this.#process?.kill("SIGKILL");
    this.#process = null;
  }
}

/** The signal with which Node.js ends a process that exceeds its memory limit. */
const OUT_OF_MEMORY = "SIGABRT";

class DecoderEnded extends BaseError {
  constructor(path: string, by: string | number | null) {
    super("internal", `the process that decodes ${basename(path)} ended twice, with ${by}; try again`);
  }
}

/** Sets whether a decoder process keeps this process alive: only while a request waits for its response. */
function setWaiting(decoder: ChildProcess, isWaiting: boolean): void {
  if (isWaiting) {
    decoder.ref();
    decoder.channel?.ref();
  } else {
    decoder.unref();
    decoder.channel?.unref();
  }
}
