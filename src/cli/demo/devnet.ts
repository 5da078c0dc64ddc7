import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";

/**
 * The demo's chain, which the workspace devnet/ exports as `demo`. Quarry does not depend on it, because it
 * runs contracts under other licences.
 */
export interface DevnetPackage {
  chain: Chain;
  /**
   * Starts the demo chain: a local node with the real DEX contracts and a market of traders. The same seed,
   * days and end time give the same blocks. Throws SavedStateError, NodeStartError.
   */
  start(options: DevnetOptions): Promise<Devnet>;
  /** The error for a problem with the saved chain in a directory. */
  SavedStateError: new (
    directory: string,
    problem: string,
    cause?: unknown,
  ) => BaseError;
}

export interface DevnetOptions {
  /** Directory of the chain. A chain that is saved in it is resumed. */
  directory: string;
  seed?: number;
  /** Unix seconds at which the history ends; default: now. */
  endTime?: number;
  days?: number;
  /** Time between live blocks; default: two seconds. */
  blockTimeMs?: number;
  port?: number;
  onProgress?: (progress: { day: number; days: number; blocks: number }) => void;
  /**
   * Called when a saved chain resumes, with the length of its history in days, the end of the history, and
   * the newest block.
   */
  onResume?: (saved: { days: number; endTime: number; block: number }) => void;
  signal?: AbortSignal;
}

/** Examples for a user's first requests. */
export interface Highlights {
  token: Hex;
  symbol: string;
  pool: Hex;
  wallet: Hex;
  nft: Hex;
}

export interface Devnet {
  url: string;
  chain: Chain;
  /** Process id of the node. */
  pid: number;
  highlights: Highlights;
  /** Resolves when the history is complete up to its end time. The chain can be read before then. */
  historyDone: Promise<void>;
  /**
   * Rejects when the market stops because its node has exited or the journal cannot be written. Never
   * resolves.
   */
  failed: Promise<never>;
  /** Starts live blocks, one every `blockTimeMs`, from now or from the end of the history. */
  goLive(): void;
  /** Saves the chain and stops the node. */
  stop(): Promise<void>;
}

/** @throws DemoNotInstalled */
export async function loadDevnet(): Promise<DevnetPackage> {
  try {
    const { demo }: { demo: DevnetPackage } = await import("@quarry/devnet");
    return demo;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") throw new DemoNotInstalled(cause);
    throw cause;
  }
}

class DemoNotInstalled extends BaseError {
  constructor(cause: unknown) {
    super(
      "unsupported",
      "The demo is not installed. It runs a local node and exchange contracts under their own licences, so it is " +
        "not part of the package. Run it from a checkout of Quarry's repository: npm ci && npm start",
      { cause },
    );
  }
}
