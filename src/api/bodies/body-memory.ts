import { Sums } from "../../lib/collections/sums.ts";
import { fairShare } from "../../lib/queues/fair-share.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { ClientOverload, ServiceOverload } from "../admission/overload.ts";

type BodyLimits = Pick<ApiLimits, "bodyMemoryBytes" | "clientBodyBytes">;

/** The memory of one body. */
export interface BodyShare {
  /** @param bytes received so far @throws ClientOverload, ServiceOverload */
  grow(bytes: number): void;
  /** Frees the memory; a second call does nothing. */
  release(): void;
}

/**
 * Limits the memory of bodies that are not parsed yet. A client may use at most half of the memory that other
 * clients leave free, so that a few clients that never finish sending cannot use it all.
 */
export class BodyMemory {
  readonly #limits: BodyLimits;
  readonly #bytes = new Sums();

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes.total;
  }

  /** Starts counting a body, before any of it arrives. */
  open(client: string): BodyShare {
    let held = 0;
    return {
      grow: (bytes) => {
        this.#requireRoom(client, bytes - held);
        this.#bytes.add(client, bytes - held);
        held = bytes;
      },
      release: () => {
        this.#bytes.add(client, -held);
        held = 0;
      },
    };
  }

  #requireRoom(client: string, more: number): void {
    const { bodyMemoryBytes, clientBodyBytes } = this.#limits;
    const own = this.#bytes.of(client);
    if (own + more > clientBodyBytes) {
      throw new ClientOverload(
        `its unfinished request bodies may take at most ${Math.ceil(clientBodyBytes / 2 ** 20)} MiB of memory`,
      );
    }
    if (own + more > fairShare(this.bytes - own, bodyMemoryBytes)) {
      throw new ServiceOverload(
        `unfinished request bodies already take ${Math.ceil(this.bytes / 2 ** 20)} MiB of memory`,
      );
    }
  }
}
