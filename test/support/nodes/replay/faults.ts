import { seeded } from "../../seeded.ts";
import type { RecordedLog, RecordedReceipt } from "./recorded-chain.ts";

/** What a replay node can do wrong. */
export const FAULT_KINDS = ["429", "500", "hang", "truncate", "null", "drop-log", "dup-log"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A figure for some of the kinds: a probability per request, or the faults so far. */
export type Faults = Partial<Record<FaultKind, number>>;

/** Decides by a seed which responses are faulty. */
export class FaultInjector {
  readonly counts: Faults = {};
  readonly #shares: Faults;
  readonly #random: () => number;

  constructor(shares: Faults, seed: number) {
    this.#shares = shares;
    this.#random = seeded(seed);
  }

  /** Whether this response gets the fault, which is then counted. */
  draw(kind: FaultKind): boolean {
    const share = this.#shares[kind];
    const isHit = share !== undefined && this.#random() < share;
    if (isHit) this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    return isHit;
  }

  /** The logs, perhaps with one missing or duplicated. */
  logs<L extends RecordedLog>(logs: L[]): L[] {
    const place = () => Math.floor(this.#random() * logs.length);
    if (logs.length > 0 && this.draw("drop-log")) {
      // A place is drawn for each log, so that sometimes none is dropped, or several are.
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
