import { readFinalizedTime } from "../../reads/snapshot/finalized-time.ts";
import { type Commit, type Reader, readableChain, snapshotAt } from "../../reads/snapshot/snapshot.ts";

interface FinalBlock {
  number: number;
  /** Unix seconds. */
  time: number;
}

/** Time limit for looking up one block by its number; an engine that takes longer is too busy to wait for. */
const LOOKUP_MS = 1_000;

/** Tracks the time up to which each chain's blocks are final. */
export class FinalTimes {
  readonly #reader: Reader;
  readonly #newest = new Map<string, FinalBlock>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /**
   * Returns whether every block up to a time was final at a commit. Returns false for the time of the final
   * block itself, because on some chains the next block has the same time. Queries the engine only if the
   * final block that is known so far does not give the answer.
   *
   * @param time unix seconds
   */
  async isFinal(chain: string, commit: Commit, time: number): Promise<boolean> {
    const { finalized } = commit;
    if (finalized === null || time >= commit.timestamp) return false;
    const known = this.#newest.get(chain);
    if (known !== undefined && known.number <= finalized) {
      if (time < known.time) return true;
      if (known.number === finalized) return false;
    }
    const newest = await this.#read(chain, commit);
    return newest !== null && time < newest;
  }

  async #read(chain: string, commit: Commit): Promise<number | null> {
    const readable = readableChain(this.#reader, chain);
    const snapshot = snapshotAt(this.#reader, readable, commit, { timeoutMs: LOOKUP_MS });
    // Without this time, the answer is still correct; caches only have to revalidate it.
    const time = await readFinalizedTime(snapshot).catch(() => null);
    if (time !== null) this.#newest.set(chain, { number: commit.finalized ?? 0, time });
    return time;
  }
}
