import { isLive } from "./screen.ts";

const ERASE = "\r\x1b[2K";

/** The line at the bottom of a terminal, or null where none can change in place. */
export function openLiveLine(screen: NodeJS.WriteStream): LiveLine | null {
  return isLive(screen) ? new LiveLine(screen) : null;
}

/**
 * One line at the bottom of a terminal that changes in place. Whatever else the process prints to the terminal, by
 * either stream, goes above it: the line makes room, and is drawn again behind the end of what was printed. One at a time.
 */
export class LiveLine {
  readonly #screen: NodeJS.WriteStream;
  readonly #write: (text: string) => void;
  readonly #unhook: (() => void)[] = [];
  #text = "";
  /** Something else has printed part of a line. */
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

  /** Takes the line away, and leaves the terminal as it was. */
  stop(): void {
    if (this.#text !== "" && !this.#isInterrupted) this.#write(ERASE);
    this.#text = "";
    for (const unhook of this.#unhook.splice(0)) unhook();
  }

  #hook(stream: NodeJS.WriteStream): void {
    const write = stream.write;
    stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      if (this.#text !== "" && !this.#isInterrupted) this.#write(ERASE);
      const isTaken = write.call(stream, chunk, ...rest);
      this.#isInterrupted = !endsLine(chunk);
      if (this.#text !== "" && !this.#isInterrupted) this.#write(this.#text);
      return isTaken;
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
