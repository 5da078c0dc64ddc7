import { useSyncExternalStore } from "react";

/** Counts, for each chain, how often blocks that the page has shown may have changed. */
export class Reorgs {
  readonly #counts = new Map<string, number>();
  /** Chains whose stream has sent a snapshot. A reset removes its chain. */
  readonly #begun = new Set<string>();
  readonly #listeners = new Set<() => void>();

  count(chain: string): number {
    return this.#counts.get(chain) ?? 0;
  }

  /** Reads a frame of a stream. Counts a reorg if blocks that the page has shown may have changed. */
  note(chain: string, event: string): void {
    // If there is a second snapshot, the page has missed frames, and possibly a rollback.
    const isRepeated = event === "snapshot" && this.#begun.has(chain);
    if (event === "snapshot") this.#begun.add(chain);
    // The snapshot that follows a reset does not count again.
    if (event === "reset") this.#begun.delete(chain);
    if (isRepeated || event === "rollback" || event === "reset") this.add(chain);
  }

  /** Counts a reorg. */
  add(chain: string): void {
    this.#counts.set(chain, this.count(chain) + 1);
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** The reorgs that this page's streams reported, or that it detected by polling. */
export const REORGS = new Reorgs();

/** Returns the number of reorgs that streams reported or polling detected. */
export function useReorgs(chain: string): number {
  const count = () => REORGS.count(chain);
  return useSyncExternalStore(REORGS.subscribe, count, count);
}
