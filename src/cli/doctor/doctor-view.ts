import type { CheckProgress } from "../../doctor/check/check-chain.ts";
import type { RepairProgress } from "../../doctor/repair/repair-blocks.ts";
import { openLiveLine } from "../terminal/live-line.ts";
import { barText } from "../terminal/screen.ts";

/** Shows the progress of `quarry doctor` on a terminal. */
export interface DoctorView {
  checking(progress: CheckProgress): void;
  comparing(progress: RepairProgress): void;
  repairing(progress: RepairProgress): void;
  stop(): void;
}

/** Returns a view that changes a line in place. It shows nothing if the stream is not a terminal. */
export function doctorView(stream: NodeJS.WriteStream = process.stderr): DoctorView {
  const live = openLiveLine(stream);
  const show = (step: string, detail: string, { done, total }: { done: number; total: number }) =>
    live?.show(`${step} ${barText(total === 0 ? 1 : done / total)} ${detail}`);
  return {
    checking: (progress) => show("checking", progress.invariant, progress),
    comparing: (progress) => show("comparing", `${progress.done} blocks`, progress),
    repairing: (progress) => show("repairing", `${progress.done} blocks`, progress),
    stop: () => live?.stop(),
  };
}
