import type { PoolTvl } from "@quarry/sdk";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { formatExact, formatShare } from "../../../format/number.ts";
import { ROBUST_PRICE } from "../../../queries/market/robust-price.ts";
import type { Pool } from "../../../queries/pool/pool.ts";
import {
  NO_HOLDINGS,
  otherBalances,
  type PoolBalance,
  pairBalances,
} from "../../../queries/pool/pool-balance.ts";
import { poolHoldingsQuery } from "../../../queries/pool/pool-holdings.ts";
import { CopyRequest } from "../../../ui/controls/copy-request.tsx";
import { QueryContent } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Price, Usd } from "../../../ui/values/figures.tsx";
import { TokenLink } from "../../../ui/values/links.tsx";
import { missingValueReasons } from "./missing-value.ts";
import styles from "./pool-composition.module.css";
import { colourAt } from "./token-colours.ts";

const HEIGHT = 240;

/** The pool's balances of its tokens. */
export function PoolComposition({ pool, tvl }: { pool: Pool; tvl: UseQueryResult<PoolTvl | null> }) {
  const parameters = { chain: pool.chain, pool_address: [pool.address], price_type: ROBUST_PRICE };
  return (
    <Panel
      title="Composition"
      actions={<CopyRequest what="balances" request={{ method: "poolTvls", parameters }} />}
    >
      <QueryContent query={tvl} height={HEIGHT}>
        {(data) => <Balances pool={pool} tvl={data} />}
      </QueryContent>
    </Panel>
  );
}

function Balances({ pool, tvl }: { pool: Pool; tvl: PoolTvl | null }) {
  const { data: holdings = NO_HOLDINGS } = useQuery(poolHoldingsQuery(pool));
  const balances = [...pairBalances(pool, tvl), ...otherBalances(pool, tvl, holdings)];
  const reasons = missingValueReasons(pool, tvl, balances);
  const shares = balances.map(({ value }) => shareOf(value, tvl?.tvl_usd ?? null));
  return (
    <div className={styles.body}>
      <div className={styles.bar} aria-hidden="true">
        {balances.map(({ tokens: [{ address }] }, i) => (
          <span
            key={address}
            style={{ width: `${(shares[i] ?? 0) * 100}%`, background: `var(--${colourAt(i)})` }}
          />
        ))}
      </div>
      {balances.map((held, i) => (
        <TokenFigures
          key={held.tokens[0].address}
          chain={pool.chain}
          held={held}
          share={shares[i] ?? null}
          colour={colourAt(i)}
        />
      ))}
      <p className={styles.total}>
        <span>TVL</span>
        <strong>
          <Usd usd={tvl?.tvl_usd} />
        </strong>
      </p>
      {reasons.length === 0 ? null : (
        <div className={styles.why} role="note">
          <p>The value is unknown:</p>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

interface TokenFiguresProps {
  chain: string;
  held: PoolBalance;
  /** Share of the pool's value; null if unknown. */
  share: number | null;
  colour: string;
}

function TokenFigures({ chain, held, share, colour }: TokenFiguresProps) {
  const { tokens, balance, price, value } = held;
  return (
    <dl className={styles.side}>
      <dt>
        <span className={styles.key} style={{ background: `var(--${colour})` }} aria-hidden="true" />
        <span>
          {tokens.map(({ address, symbol }, i) => (
            <Fragment key={address}>
              {i === 0 ? "" : ", "}
              <TokenLink chain={chain} address={address} symbol={symbol} />
            </Fragment>
          ))}
        </span>
      </dt>
      <dd className={styles.value}>
        <Usd usd={value} /> <span className={styles.quiet}>{formatShare(share)}</span>
      </dd>
      {tokens.length > 1 ? (
        <dd className={styles.quiet}>together</dd>
      ) : (
        <>
          <dd className={styles.balance}>{formatExact(balance)}</dd>
          <dd className={styles.price}>
            <span className={styles.quiet}>at</span> <Price usd={price} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Returns a share of the pool's value; null if a value is unknown or the pool is empty. */
function shareOf(value: number | null, total: number | null): number | null {
  return value === null || total === null || total === 0 ? null : value / total;
}
