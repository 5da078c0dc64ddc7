import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { BaseError } from "../../src/lib/error.ts";
import type { MarketPlan } from "../market/market.ts";

/**
 * Version of the market. It must change whenever the same plan would produce a different chain. A saved chain
 * of another version cannot resume.
 */
export const MARKET_VERSION = 2;

/**
 * A demo chain on disk: its plan, the node's state at some block, and the times of the later blocks. The
 * times are enough to make the same blocks again, because a block of the market depends only on the plan, its
 * time and the chain before it.
 */
export class SavedState {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
    try {
      mkdirSync(directory, { recursive: true });
    } catch (cause) {
      throw new SavedStateError(directory, "cannot be created", cause);
    }
  }

  get exists(): boolean {
    return existsSync(this.path("state.json.gz"));
  }

  /**
   * Returns the plan of the chain in this directory, or stores and returns `fresh` if there is none. Throws
   * SavedStateError.
   */
  plan(fresh: MarketPlan, wanted: { seed?: number | undefined }): MarketPlan {
    const file = this.path("plan.json");
    if (!existsSync(file)) {
      this.replace("plan.json", JSON.stringify({ version: MARKET_VERSION, ...fresh }));
      return fresh;
    }
    const { version, seed, startTime, endTime } = this.readPlan(file);
    if (version !== MARKET_VERSION) {
      throw new SavedStateError(
        this.directory,
        `is of version ${version}, this program writes ${MARKET_VERSION}`,
      );
    }
    if (wanted.seed !== undefined && wanted.seed !== seed) {
      throw new SavedStateError(this.directory, `was made from seed ${seed}, not ${wanted.seed}`);
    }
    return { seed, startTime, endTime };
  }

  private readPlan(file: string): MarketPlan & { version: number } {
    try {
      const plan = JSON.parse(readFileSync(file, "utf8"));
      const numbers = [plan.version, plan.seed, plan.startTime, plan.endTime];
      if (numbers.every(Number.isSafeInteger)) return plan;
    } catch (cause) {
      throw new SavedStateError(this.directory, "has an unreadable plan.json", cause);
    }
    throw new SavedStateError(this.directory, "has an incomplete plan.json");
  }

  /** Unpacks the state into a file that the node can load. */
  unpack(): string {
    this.replace("loading.json", this.state());
    return this.path("loading.json");
  }

  private state(): Uint8Array {
    try {
      return gunzipSync(readFileSync(this.path("state.json.gz")));
    } catch (cause) {
      throw new SavedStateError(this.directory, "has an unreadable state.json.gz", cause);
    }
  }

  discardUnpacked(): void {
    rmSync(this.path("loading.json"), { force: true });
  }

  /** Writes the node's packed state atomically, and then starts a new journal. */
  save(packed: Uint8Array): void {
    this.replace("state.json.gz", packed);
    rmSync(this.path("journal"), { force: true });
  }

  writeGenesis(genesis: object): string {
    this.replace("genesis.json", JSON.stringify(genesis));
    return this.path("genesis.json");
  }

  /** Records a block before it is made. */
  note(number: number, timestamp: number): void {
    try {
      appendFileSync(this.path("journal"), `${number} ${timestamp}\n`);
    } catch (cause) {
      throw new SavedStateError(this.directory, "cannot be written (journal)", cause);
    }
  }

  /**
   * Returns the times of the blocks after `head`, in order. Cuts off an incomplete last line, so the next
   * line can be written in its place.
   */
  journal(head: number): number[] {
    const file = this.path("journal");
    if (!existsSync(file)) return [];
    const text = readFileSync(file, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole !== text) truncateSync(file, whole.length);
    const lines = whole.split("\n").slice(0, -1);
    const entries = lines.map((line) => line.split(" ").map(Number) as [number, number]);
    return entries.filter(([number]) => number > head).map(([, timestamp]) => timestamp);
  }

  private replace(name: string, content: string | Uint8Array): void {
    const temporary = this.path(`${name}.tmp`);
    try {
      writeFileSync(temporary, content);
      renameSync(temporary, this.path(name));
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw new SavedStateError(this.directory, `cannot be written (${name})`, cause);
    }
  }

  private path(name: string): string {
    return join(this.directory, name);
  }
}

const NO_SPACE = ["ENOSPC", "EDQUOT"];
const NO_PERMISSION = ["EACCES", "EPERM", "EROFS"];

export class SavedStateError extends BaseError {
  constructor(directory: string, problem: string, cause?: unknown) {
    const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
    super(
      NO_SPACE.includes(code) ? "disk-full" : "data-directory",
      `The saved demo chain in ${directory} ${problem}. ${adviceFor(code)}`,
      { cause },
    );
  }
}

function adviceFor(code: string): string {
  if (NO_SPACE.includes(code)) {
    return `The disk is full (${code}). Nothing is lost: free some space and start again.`;
  }
  if (NO_PERMISSION.includes(code)) {
    return `This user may not write there (${code}). Change that, or choose another data directory (--data, QUARRY_DATA).`;
  }
  return (
    "For a new demo chain choose another data directory (--data, QUARRY_DATA), or delete this one as a whole: " +
    "its tables hold the old chain's blocks."
  );
}
