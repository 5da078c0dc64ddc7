import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../../lib/seconds.ts";
import type { DescribedKind } from "../../../reads/values/value-kind.ts";

const UNIT_SECONDS = { s: 1, m: MINUTE_SECONDS, h: HOUR_SECONDS, d: DAY_SECONDS };

type Unit = keyof typeof UNIT_SECONDS;

/** The length of a candle, such as `15m`, in seconds. */
export const INTERVAL = duration(["m", "h", "d"], "1m", 365);

/** The length of a period before a time, such as `24h`, in seconds. */
export const LOOKBACK = duration(["s", "m", "h", "d"], "1s", 30);

/** Prints a number of seconds as a duration, in the largest unit that divides it. */
export function printDuration(seconds: number): string {
  const units = ["d", "h", "m"] as const;
  const unit = units.find((one) => seconds % UNIT_SECONDS[one] === 0) ?? "s";
  return `${seconds / UNIT_SECONDS[unit]}${unit}`;
}

/** Makes a kind for durations, in seconds. */
function duration(units: readonly Unit[], shortest: string, maxDays: number): DescribedKind<number> {
  const pattern = `([0-9]{1,8})([${units.join("")}])`;
  const form = new RegExp(`^\\s*${pattern}\\s*$`);
  const named = `${units.slice(0, -1).join(", ")} or ${units.at(-1)}`;
  return {
    allowed: () => `<number><unit> with the unit ${named}, from ${shortest} to ${maxDays}d`,
    parse(given) {
      const [, count, unit] = (typeof given === "string" && form.exec(given)) || [];
      if (count === undefined) return undefined;
      const seconds = Number(count) * UNIT_SECONDS[unit as Unit];
      return seconds > 0 && seconds <= maxDays * DAY_SECONDS ? seconds : undefined;
    },
    schema: { type: "string", pattern: `^${pattern}$` },
  };
}
