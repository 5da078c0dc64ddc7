import { type Clock, systemClock } from "../../../lib/async/clock.ts";

/** An answer that a client is reading. It takes space until the client has read it. */
export interface UnreadAnswer {
  client: string;
  /** Returns how many bytes have been sent so far. */
  sentBytes(): number;
  /** Returns how many bytes are still to be sent. */
  unsentBytes(): number;
  /** Disconnects the client. Resolves when the answer no longer takes any space. */
  cut(): Promise<void>;
}

/**
 * A client's speed is measured from this time on, and known after as much time again. At first, an answer
 * fills the system's buffers, however slowly the client reads it.
 */
const FILLING_MS = 5_000;

/**
 * A client that will have read its answer within this time is never disconnected. Space that is full of such
 * answers becomes free again soon, and attackers would need a fast connection to keep it full.
 */
const MOST_MS_LEFT = 60_000;

/**
 * The clients that are reading answers which share a limited space. When the space is full, the slowest one
 * gives way: the one that would take longest to read the rest of its answer.
 */
export class SlowReaders {
  readonly #clock: Clock;
  /** When the client's speed began to be measured; null before that. */
  readonly #answers = new Map<UnreadAnswer, Progress | null>();
  #displaced = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Number of clients that have been disconnected. */
  get displaced(): number {
    return this.#displaced;
  }

  /** Adds an answer, until the returned function is called. */
  add(answer: UnreadAnswer): () => void {
    this.#answers.set(answer, null);
    const cancel = this.#clock.after(FILLING_MS, () => {
      this.#answers.set(answer, { sentBytes: answer.sentBytes(), atMs: this.#clock.monotonic() });
    });
    return () => {
      cancel();
      this.#answers.delete(answer);
    };
  }

  /**
   * Takes space for an answer of a client. While the space is full, disconnects slow readers of other
   * clients.
   *
   * @param take takes the space, or throws
   * @param isFull whether an error of `take` means that other clients have taken all space
   * @throws whatever `take` throws
   */
  async withRoom(client: string, take: () => void, isFull: (error: unknown) => boolean): Promise<void> {
    for (;;) {
      try {
        return take();
      } catch (error) {
        const slowest = isFull(error) ? this.#slowest(client) : null;
        if (slowest === null) throw error;
        this.#answers.delete(slowest);
        this.#displaced++;
        await slowest.cut();
      }
    }
  }

  /** Returns the answer of another client that would take longest; null if all are read soon. */
  #slowest(client: string): UnreadAnswer | null {
    let slowest: UnreadAnswer | null = null;
    let mostMs = MOST_MS_LEFT;
    for (const [answer, before] of this.#answers) {
      if (answer.client === client || before === null) continue;
      const leftMs = this.#msLeft(answer, before);
      if (leftMs > mostMs) [slowest, mostMs] = [answer, leftMs];
    }
    return slowest;
  }

  #msLeft(answer: UnreadAnswer, before: Progress): number {
    const passedMs = this.#clock.monotonic() - before.atMs;
    if (passedMs < FILLING_MS) return 0;
    return (answer.unsentBytes() / (answer.sentBytes() - before.sentBytes)) * passedMs;
  }
}

/** How much of an answer had been sent at a monotonic time. */
interface Progress {
  sentBytes: number;
  atMs: number;
}

/** The readers of the answers in temporary files of this process. */
export const SLOW_READERS = new SlowReaders();
