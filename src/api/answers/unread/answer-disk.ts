import { Sums } from "../../../lib/collections/sums.ts";
import { BaseError } from "../../../lib/error.ts";
import { fairShare } from "../../../lib/queues/fair-share.ts";
import { meansFullDisk } from "../../../lib/system-error.ts";
import type { ApiLimits } from "../../admission/limits.ts";
import { SLOW_READERS } from "./slow-readers.ts";

export type DiskLimits = Pick<ApiLimits, "answerDiskBytes" | "clientDiskBytes">;

const MIB = 2 ** 20;

/** Bytes of temporary files, by client. */
const heldBytes = new Sums();

/** Returns the bytes of the temporary files that hold unread answers of this process. */
export function answerDiskBytes(): number {
  return heldBytes.total;
}

/** The disk space of one answer's temporary file. It counts towards a client's limit until it is released. */
export class DiskShare {
  #client: string;
  readonly #limits: DiskLimits;
  #bytes = 0;

  constructor(client: string, limits: DiskLimits) {
    this.#client = client;
    this.#limits = limits;
  }

  /**
   * If other clients have all the space, the slowest readers among them give way.
   *
   * @throws ClientHoldsTooMuch, NoDiskForAnswers
   */
  take(bytes: number): Promise<void> {
    return SLOW_READERS.withRoom(
      this.#client,
      () => this.#take(bytes),
      (error) => error instanceof NoDiskForAnswers,
    );
  }

  #take(bytes: number): void {
    const { answerDiskBytes: most, clientDiskBytes: mostOfClient } = this.#limits;
    const held = heldBytes.of(this.#client);
    const ofClient = held + bytes;
    if (ofClient > mostOfClient) throw new ClientHoldsTooMuch(mostOfClient);
    if (ofClient > fairShare(heldBytes.total - held, most)) throw new NoDiskForAnswers();
    heldBytes.add(this.#client, bytes);
    this.#bytes += bytes;
  }

  /**
   * Counts the file towards the limit of another client that is still reading it, even if the limit is then
   * exceeded.
   */
  moveTo(client: string): void {
    const bytes = this.#bytes;
    this.release();
    this.#client = client;
    this.#bytes = bytes;
    heldBytes.add(client, bytes);
  }

  release(): void {
    heldBytes.add(this.#client, -this.#bytes);
    this.#bytes = 0;
  }
}

/**
 * Returns the error to report if a write to a temporary file failed: a full disk is a state of the service,
 * not a fault.
 */
export function diskFailure(error: unknown): unknown {
  return meansFullDisk(error) ? new NoDiskForAnswers(error) : error;
}

class NoDiskForAnswers extends BaseError {
  constructor(cause?: unknown) {
    super("disk-full", "There is no disk space left for the temporary files of responses.", {
      cause,
      retryable: true,
    });
  }
}

/**
 * The client whose request was run has too many unread answers on disk. Clients that share the run are not
 * affected.
 */
export class ClientHoldsTooMuch extends BaseError {
  constructor(most: number) {
    super(
      "busy",
      `Your unread responses take ${Math.floor(most / MIB)} MiB on disk, the maximum for one client. ` +
        "Read them first, or send fewer requests at once.",
      { retryable: true },
    );
  }
}
