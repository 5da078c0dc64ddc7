import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../serving/random.ts";
import type { Api } from "../../support/processes/processes.ts";
import { differencesOf } from "./differences.ts";
import type { ServerEvent } from "./event-reader.ts";
import { type Fields, Reconstruction } from "./reconstruction.ts";
import { type Transport, transports } from "./transports.ts";

const WAIT_MS = 100;
/** How long a client may take to get the newest block, and then again to get the newest states. */
const PATIENCE_MS = 90_000;

/**
 * Maximum time before a client connects again. One in five reconnections may take the long time, so that the
 * chain moves on in the meantime.
 */
const SHORT_ABSENCE_MS = 50;
const LONG_ABSENCE_MS = 2_000;
const LONG_ABSENCES = 5;

export interface RandomClientOptions {
  /** Default: `eth`. */
  chain?: string;
  transport?: keyof typeof transports;
  seed: number;
  /** Returns the addresses of the services. The client picks one for each connection. */
  urls(): readonly string[];
}

/** A client that reads a stream, loses its connection at random, and resumes at a random service. */
export class RandomClient {
  readonly reconstruction = new Reconstruction();
  readonly #subscriptions: readonly Fields[];
  readonly #chain: string;
  readonly #transport: Transport;
  readonly #random: Random;
  readonly #urls: () => readonly string[];
  readonly #ended = new AbortController();
  #cut = new AbortController();
  #isConnecting = false;
  /** Number of connections, after the first one, that delivered a frame. */
  resumes = -1;

  constructor(
    subscriptions: readonly Fields[],
    { chain = "eth", transport = "sse", seed, urls }: RandomClientOptions,
  ) {
    this.#subscriptions = subscriptions;
    this.#chain = chain;
    this.#transport = transports[transport];
    this.#random = new Random(seed);
    this.#urls = urls;
  }

  async run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        for await (const event of this.#transport(this.#opening())) this.#take(event);
      } catch (error) {
        this.#note(error);
      }
      const isLong = this.#random.below(LONG_ABSENCES) === 0;
      const absenceMs = this.#random.below(isLong ? LONG_ABSENCE_MS : SHORT_ABSENCE_MS);
      await sleep(absenceMs, undefined, { signal: this.#ended.signal }).catch(() => undefined);
    }
  }

  disconnect(): void {
    this.#cut.abort();
  }

  end(): void {
    this.#ended.abort();
    this.#cut.abort();
  }

  /** Returns whether the newest block of the client has the hash. */
  isAt(hash: string): boolean {
    return this.reconstruction.blocks.at(-1)?.hash === hash;
  }

  /** Resolves when the newest block of the client has the hash. */
  async reaches(hash: string): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    while (!this.isAt(hash)) {
      const { blocks, faults } = this.reconstruction;
      if (performance.now() > endMs)
        throw new Error(`a client is at block ${blocks.at(-1)?.number}, not at ${hash}: ${faults}`);
      await sleep(WAIT_MS);
    }
  }

  /**
   * Returns the differences from the tables and the endpoints that remain once the states have had time to
   * catch up with the newest block.
   */
  async lastingDifferences(api: Api): Promise<string[]> {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const place = { chain: this.#chain, api };
      const found = await differencesOf(this.reconstruction, this.#subscriptions, place);
      const isOver = this.reconstruction.faults.length > 0 || performance.now() > endMs;
      if (found.length === 0 || isOver) return found;
      await sleep(WAIT_MS);
    }
  }

  #take(event: ServerEvent): void {
    if (this.#isConnecting) this.resumes++;
    this.#isConnecting = false;
    this.reconstruction.take(event);
  }

  #opening() {
    return {
      chain: this.#chain,
      subscriptions: this.#subscriptions,
      after: this.reconstruction.lastId,
      ended: this.#ended.signal,
      connect: () => {
        this.#isConnecting = true;
        this.#cut = new AbortController();
        if (this.#ended.signal.aborted) this.#cut.abort();
        return { url: this.#random.pick(this.#urls()), signal: this.#cut.signal };
      },
    };
  }

  /**
   * Records a rejected request as a fault, unless it may succeed later: on a busy machine, a request may take
   * longer to arrive than the service waits (408), or too many may wait (429).
   */
  #note(error: unknown): void {
    const { message, status } = error as Error & { status?: number };
    const code = status ?? Number(/^(\d{3}):|response: (\d{3})$/.exec(message)?.find(Number) ?? 0);
    if (code >= 400 && code < 500 && code !== 408 && code !== 429)
      this.reconstruction.faults.push(`${message}`);
  }
}
