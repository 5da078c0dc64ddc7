import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../../format/number.ts";
import { formatAge, formatTime } from "../../format/time.ts";
import { statusQuery } from "../../queries/chain/status.ts";
import { useChain } from "../../queries/chain/use-chain.ts";
import { useNow } from "../../ui/values/now.ts";
import { lateAfterSeconds, useBlockTime } from "./block-time.ts";
import styles from "./freshness.module.css";

/**
 * Time without a response, in seconds, after which the page says that it is waiting. The page polls every
 * 1.5 s, or every 5 s if streams report the blocks of all chains.
 */
const SILENT_SECONDS = 10;

/** Shows the newest indexed block of the current chain, and how far behind the index is. */
export function Freshness() {
  const { data, error, dataUpdatedAt } = useQuery(statusQuery());
  const chain = useChain();
  const now = useNow();
  const status = data?.chains.find((each) => each.chain === chain);
  const blockSeconds = useBlockTime(status);
  if (error !== null) return <Line state="down">Service not responding: {error.message}</Line>;
  if (data !== undefined && data.chains.length > 0 && status === undefined)
    return <Line state="quiet">{chain} is not indexed</Line>;
  if (status?.indexed_block == null) return <Line state="quiet">No block indexed yet</Line>;
  const { indexed_block, indexed_timestamp, lag_blocks } = status;
  const isLate = now - (indexed_timestamp ?? 0) > lateAfterSeconds(blockSeconds);
  const isSilent = now - dataUpdatedAt / 1000 > SILENT_SECONDS;
  return (
    <Line state={isLate || isSilent ? "late" : "live"}>
      <span title={formatTime(indexed_timestamp ?? 0)}>
        {isSilent ? "Waiting for the service" : isLate ? "Catching up" : "Live"} · {chain} block{" "}
        {formatCount(indexed_block)}, {formatAge(indexed_timestamp ?? 0, now)} ago
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
