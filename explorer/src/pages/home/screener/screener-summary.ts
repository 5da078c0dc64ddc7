import { formatCount, formatCounted } from "../../../format/number.ts";
import type { Screen, ScreenKind } from "../../../queries/market/screener.ts";

/** Maximum number of tokens or pools of a chain from which the service makes a list. */
const MAX_CANDIDATES = 500;

/** Returns a text about the rows of a list, and about rows that are missing. */
export function summaryOf(
  { rows, total, hiddenWash, isLimited }: Omit<Screen, "rows" | "hiddenSpam"> & { rows: { length: number } },
  kind: ScreenKind,
): string {
  const washed = hiddenWash === 0 ? "" : ` ${washedText(hiddenWash, kind)}`;
  const limited = isLimited
    ? ` More than ${MAX_CANDIDATES} ${kind}s match; narrower filters show the others.`
    : "";
  return `${formatCount(rows.length)} of ${formatCount(total)}, updated with each block.${limited}${washed}`;
}

function washedText(count: number, kind: ScreenKind): string {
  return `${formatCounted(count, kind)} with only wash trades ${count === 1 ? "is" : "are"} left out.`;
}
