import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../format/number.ts";
import { formatAge, formatTime } from "../format/time.ts";
import { statusQuestion } from "../questions/status.ts";
import { useNow } from "../ui/now.ts";
import { useChain } from "./chain.ts";
import styles from "./freshness.module.css";

/** So late a chain's newest block may be before the page says that it lags, in seconds. */
const LATE_SECONDS = 60;

/** Up to which block the shown chain is indexed, and how far behind that is. */
export function Freshness() {
  const { data, error } = useQuery(statusQuestion());
  const chain = useChain();
  const now = useNow();
  if (error !== null) return <Line state="down">No answer from the service: {error.message}</Line>;
  const status = data?.chains.find((each) => each.chain === chain);
  if (data !== undefined && data.chains.length > 0 && status === undefined)
    return <Line state="quiet">{chain} is not indexed here</Line>;
  if (status?.indexed_block == null) return <Line state="quiet">No block is indexed yet</Line>;
  const { indexed_block, indexed_timestamp, lag_blocks } = status;
  const isLate = now - (indexed_timestamp ?? 0) > LATE_SECONDS;
  return (
    <Line state={isLate ? "late" : "live"}>
      <span title={formatTime(indexed_timestamp ?? 0)}>
        {isLate ? "Catching up" : "Live"} · {chain} block {formatCount(indexed_block)},{" "}
        {formatAge(indexed_timestamp ?? 0, now)} ago
        {lag_blocks !== null && lag_blocks > 1 ? `, ${formatCount(lag_blocks)} blocks behind the head` : ""}
      </span>
    </Line>
  );
}

function Line({ state, children }: { state: "live" | "late" | "down" | "quiet"; children: React.ReactNode }) {
  return (
    <span className={styles.line} data-state={state}>
      <span className={styles.dot} aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}
