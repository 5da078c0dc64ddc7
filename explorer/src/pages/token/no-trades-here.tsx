import type { ReactNode } from "react";
import { tokenName } from "../../format/pool.ts";
import { PoolLink } from "../../ui/values/links.tsx";
import { useChosenPool } from "./pool-options.ts";
import styles from "./token.module.css";
import { useToken } from "./token-search.ts";

/** Why there is nothing of the token in the chosen pool: where it pays for the other token, trades are of that one. */
export function NoTradesHere({ symbol, children }: { symbol: string; children: ReactNode }) {
  const { chain } = useToken();
  const pool = useChosenPool();
  if (pool === undefined || !pool.isPaidWith) return children;
  const other = tokenName(pool.pair[1]);
  return (
    <>
      In this pool {symbol} pays for {other}: its trades and candles are those of {other}.{" "}
      <span className={styles.see}>
        <PoolLink chain={chain} address={pool.address}>
          See the pool
        </PoolLink>
      </span>
    </>
  );
}
