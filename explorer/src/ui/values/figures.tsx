import { changeSign, formatChange, formatCompact, formatUsd, formatUsdCompact } from "../../format/number.ts";
import { formatAge, formatTime, isoTime } from "../../format/time.ts";
import styles from "./figures.module.css";
import { useNow } from "./now.ts";

type Figure = number | null | undefined;

/** A price in US dollars, with the exact number in a tooltip. */
export function Price({ usd }: { usd: Figure }) {
  return <span title={exact(usd)}>{formatUsd(usd)}</span>;
}

/** An abbreviated amount of US dollars, with the exact number in a tooltip. */
export function Usd({ usd }: { usd: Figure }) {
  return <span title={exact(usd)}>{formatUsdCompact(usd)}</span>;
}

/** An abbreviated amount of tokens, with the exact number in a tooltip. */
export function Amount({ amount }: { amount: Figure }) {
  return <span title={exact(amount)}>{formatCompact(amount)}</span>;
}

/** A profit or loss in US dollars, coloured by sign. */
export function Profit({ usd }: { usd: Figure }) {
  return (
    <span className={styles.signed} data-sign={signOf(usd)} title={exact(usd)}>
      {formatUsdCompact(usd)}
    </span>
  );
}

/** A relative change, coloured by sign: 0.01 is +1.00 %. */
export function Change({ share }: { share: Figure }) {
  return (
    <span className={styles.signed} data-sign={changeSign(share)}>
      {formatChange(share)}
    </span>
  );
}

/** Time since a timestamp, with the UTC time in a tooltip. */
export function Age({ timestamp }: { timestamp: number }) {
  const now = useNow();
  return (
    <time dateTime={isoTime(timestamp)} title={`${formatTime(timestamp)} UTC`}>
      {formatAge(timestamp, now)}
    </time>
  );
}

/** `12 min ago`. */
export function Ago({ timestamp }: { timestamp: number }) {
  return (
    <>
      <Age timestamp={timestamp} /> ago
    </>
  );
}

/** `buy` or `sell`, coloured. */
export function Side({ side }: { side: string }) {
  return (
    <span className={styles.signed} data-sign={side === "buy" ? "up" : "down"}>
      {side}
    </span>
  );
}

function exact(figure: Figure): string | undefined {
  return figure === null || figure === undefined ? undefined : String(figure);
}

function signOf(figure: Figure): "up" | "down" | undefined {
  if (figure === null || figure === undefined || figure === 0) return undefined;
  return figure > 0 ? "up" : "down";
}
