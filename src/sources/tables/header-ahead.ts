import type { HeaderSource } from "../blocks/header-fetcher.ts";
import type { BlockRange } from "../source.ts";
import type { HeaderWithHashes } from "../wire/rpc-block.ts";

/** Number of headers in one request. */
const SPAN_BLOCKS = 32;
/** Maximum number of requests that are in progress or whose headers have not been taken. */
const SPANS_AHEAD = 4;

/** Requests the headers of a range from a node before they are used. The headers must be taken in order. */
export class HeaderAhead {
  readonly #source: HeaderSource;
  readonly #to: number;
  readonly #signal: AbortSignal;
  readonly #spans: { from: number; headers: Promise<HeaderWithHashes[]> }[] = [];
  #next: number;

  constructor(source: HeaderSource, { from, to }: BlockRange, signal: AbortSignal) {
    this.#source = source;
    this.#next = from;
    this.#to = to;
    this.#signal = signal;
  }

  async take(number: number): Promise<HeaderWithHashes | undefined> {
    while ((this.#spans[0]?.from ?? number) + SPAN_BLOCKS <= number) this.#spans.shift();
    while (this.#spans.length < SPANS_AHEAD && this.#next <= this.#to) this.#request();
    const [span] = this.#spans;
    return (await span?.headers)?.[number - (span?.from ?? 0)];
  }

  #request(): void {
    const from = this.#next;
    const count = Math.min(SPAN_BLOCKS, this.#to - from + 1);
    this.#next += count;
    const numbers = Array.from({ length: count }, (_, i) => from + i);
    const headers = this.#source.headers(numbers, "hashes", this.#signal);
    // Prevents an unhandled rejection: the error is thrown when the header is taken.
    headers.catch(() => {});
    this.#spans.push({ from, headers });
  }
}
