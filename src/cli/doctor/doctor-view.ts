import type { CheckProgress } from "../../doctor/check/check-chain.ts";
import type { RepairProgress } from "../../doctor/repair/repair-blocks.ts";
import { openLiveLine } from "../terminal/live-line.ts";
import { barText } from "../terminal/screen.ts";

/** Shows on a terminal how far the doctor is. */
export interface DoctorView {
  examined(progress: CheckProgress): void;
  compared(progress: RepairProgress): void;
  repaired(progress: RepairProgress): void;
  stop(): void;
}

/** One line that changes on a terminal, nothing elsewhere. */
export function doctorView(stream: NodeJS.WriteStream = process.stderr): DoctorView {
  const live = openLiveLine(stream);
  const show = (doing: string, what: string, { done, total }: { done: number; total: number }) =>
    live?.show(`${doing} ${barText(total === 0 ? 1 : done / total)} ${what}`);
  return {
    examined: (progress) => show("checking", progress.invariant, progress),
    compared: (progress) => show("comparing", `${progress.done} blocks`, progress),
    repaired: (progress) => show("mending", `${progress.done} blocks`, progress),
    stop: () => live?.stop(),
  };
}
