import { isLive } from "./screen.ts";

const ERASE = "\r\x1b[2K";

/** Opens a line at the bottom of a terminal; null if the stream cannot change a line in place. */
export function openLiveLine(screen: NodeJS.WriteStream): LiveLine | null {
  return isLive(screen) ? new LiveLine(screen) : null;
}

/**
 * A line at the bottom of a terminal that changes in place. All other output of the process to the terminal,
 * on stdout or stderr, appears above it: the line is erased first and drawn again afterwards. Only one live
 * line may exist at a time.
 */
export class LiveLine {
  readonly #screen: NodeJS.WriteStream;
  readonly #write: (text: string) => void;
  readonly #unhook: (() => void)[] = [];
  #text = "";
  /** True while other output has left an unfinished line. */
  #isInterrupted = false;

  constructor(screen: NodeJS.WriteStream) {
    this.#screen = screen;
    const write = screen.write;
    this.#write = (text) => write.call(screen, text);
    for (const stream of [process.stdout, process.stderr]) if (isLive(stream)) this.#hook(stream);
  }

  show(text: string): void {
    this.#text = text.slice(0, Math.max(1, (this.#screen.columns ?? 80) - 1));
    if (!this.#isInterrupted) this.#write(ERASE + this.#text);
  }

  /** Erases the line and restores the streams. */
  stop(): void {
    if (this.#text !== "" && !this.#isInterrupted) this.#write(ERASE);
    this.#text = "";
    for (const unhook of this.#unhook.splice(0)) unhook();
  }

  #hook(stream: NodeJS.WriteStream): void {
    const write = stream.write;
    stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      if (this.#text !== "" && !this.#isInterrupted) this.#write(ERASE);
      const hasCapacity = write.call(stream, chunk, ...rest);
      this.#isInterrupted = !endsLine(chunk);
      if (this.#text !== "" && !this.#isInterrupted) this.#write(this.#text);
      return hasCapacity;
    }) as typeof write;
    this.#unhook.push(() => {
      stream.write = write;
    });
  }
}

const NEWLINE = 10;

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === "string" ? chunk.endsWith("\n") : chunk.at(-1) === NEWLINE;
}
