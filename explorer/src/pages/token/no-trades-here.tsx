import type { ReactNode } from "react";
import { tokenName } from "../../format/pool.ts";
import { PoolLink } from "../../ui/values/links.tsx";
import { useSelectedPool } from "./pool-options.ts";
import styles from "./token.module.css";
import { useToken } from "./token-search.ts";

/**
 * Explains why the token has no trades in the selected pool: where it is only the payment, the trades count
 * as trades of the other token.
 */
export function NoTradesHere({ symbol, children }: { symbol: string; children: ReactNode }) {
  const { chain } = useToken();
  const pool = useSelectedPool();
  if (pool === undefined || !pool.isPaidWith) return children;
  const others = pool.tokens.slice(1).map(tokenName).join(" and ");
  return (
    <>
      In this pool, {symbol} pays for {others}, so trades and candles are those of {others}.{" "}
      <span className={styles.see}>
        <PoolLink chain={chain} address={pool.address}>
          View pool
        </PoolLink>
      </span>
    </>
  );
}
