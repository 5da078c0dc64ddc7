import { seeded } from "../../seeded.ts";
import type { RecordedLog, RecordedReceipt } from "./recorded-chain.ts";

/** The kinds of fault that a replay node can produce. */
export const FAULT_KINDS = ["429", "500", "hang", "truncate", "null", "drop-log", "dup-log"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** For some kinds of fault, a number: either the probability per request, or the number of faults so far. */
export type Faults = Partial<Record<FaultKind, number>>;

/** Decides which responses are faulty, from a seed. */
export class FaultInjector {
  readonly counts: Faults = {};
  readonly #shares: Faults;
  readonly #random: () => number;

  constructor(shares: Faults, seed: number) {
    this.#shares = shares;
    this.#random = seeded(seed);
  }

  /** Decides whether this response gets the fault, and counts it if so. */
  draw(kind: FaultKind): boolean {
    const share = this.#shares[kind];
    const isHit = share !== undefined && this.#random() < share;
    if (isHit) this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    return isHit;
  }

  /** Returns the logs, with some missing or one duplicated if the fault is drawn. */
  logs<L extends RecordedLog>(logs: L[]): L[] {
    const place = () => Math.floor(this.#random() * logs.length);
    if (logs.length > 0 && this.draw("drop-log")) {
      // Draws a new index for each log, so that sometimes none is dropped, and sometimes several are.
      return logs.filter((_, i) => i !== place());
    }
    if (logs.length > 0 && this.draw("dup-log")) return [...logs, ...logs.slice(place()).slice(0, 1)];
    return logs;
  }

  receipts(receipts: RecordedReceipt[]): RecordedReceipt[] {
    const logs = receipts.flatMap((receipt) => receipt.logs);
    const kept = this.logs(logs);
    if (kept === logs) return receipts;
    return receipts.map((receipt) => ({
      ...receipt,
      logs: kept.filter(({ transactionHash }) => transactionHash === receipt.transactionHash),
    }));
  }
}
