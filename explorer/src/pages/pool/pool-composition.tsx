import type { PoolTvl } from "@quarry/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ChartColour } from "../../charts/chart-colours.ts";
import { formatExact, formatShare } from "../../format/number.ts";
import { ROBUST_PRICE } from "../../queries/market/robust-price.ts";
import type { Pool, PoolToken } from "../../queries/pool/pool.ts";
import { CopyRequest } from "../../ui/controls/copy-request.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Price, Usd } from "../../ui/values/figures.tsx";
import { TokenLink } from "../../ui/values/links.tsx";
import { missingValueReasons } from "./missing-value.ts";
import styles from "./pool-composition.module.css";

const HEIGHT = 240;

/** The colours of the first and second token in all charts. */
export const SIDE_COLOURS = ["accent", "quiet"] as const satisfies readonly ChartColour[];

interface Side {
  token: PoolToken;
  colour: ChartColour;
  balance: number | null;
  price: number | null;
  value: number | null;
}

/** The pool's balances of both tokens. */
export function PoolComposition({ pool, tvl }: { pool: Pool; tvl: UseQueryResult<PoolTvl | null> }) {
  const parameters = { chain: pool.chain, pool_address: [pool.address], price_type: ROBUST_PRICE };
  return (
    <Panel
      title="Composition"
      actions={<CopyRequest what="balances" request={{ method: "poolTvls", parameters }} />}
    >
      <QueryContent query={tvl} height={HEIGHT}>
        {(data) => <Sides pool={pool} tvl={data} />}
      </QueryContent>
    </Panel>
  );
}

function Sides({ pool, tvl }: { pool: Pool; tvl: PoolTvl | null }) {
  const sides = sidesOf(pool, tvl);
  const reasons = missingValueReasons(pool, tvl);
  const shares = sides.map(({ value }) => shareOf(value, tvl?.tvl_usd ?? null));
  return (
    <div className={styles.body}>
      <div className={styles.bar} aria-hidden="true">
        {sides.map(({ token, colour }, i) => (
          <span
            key={token.address}
            style={{ width: `${(shares[i] ?? 0) * 100}%`, background: `var(--${colour})` }}
          />
        ))}
      </div>
      {sides.map((side, i) => (
        <SideFigures key={side.token.address} chain={pool.chain} side={side} share={shares[i] ?? null} />
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

function SideFigures({ chain, side, share }: { chain: string; side: Side; share: number | null }) {
  const { token, colour, balance, price, value } = side;
  return (
    <dl className={styles.side}>
      <dt>
        <span className={styles.key} style={{ background: `var(--${colour})` }} aria-hidden="true" />
        <TokenLink chain={chain} address={token.address} symbol={token.symbol} />
      </dt>
      <dd className={styles.value}>
        <Usd usd={value} /> <span className={styles.quiet}>{formatShare(share)}</span>
      </dd>
      <dd className={styles.balance}>{formatExact(balance)}</dd>
      <dd className={styles.price}>
        <span className={styles.quiet}>at</span> <Price usd={price} />
      </dd>
    </dl>
  );
}

function sidesOf({ tokens: [first, second] }: Pool, tvl: PoolTvl | null): [Side, Side] {
  const [firstColour, secondColour] = SIDE_COLOURS;
  return [
    {
      token: first,
      colour: firstColour,
      balance: tvl?.token_0_balance ?? null,
      price: tvl?.token_0_price_usd ?? null,
      value: tvl?.token_0_balance_usd ?? null,
    },
    {
      token: second,
      colour: secondColour,
      balance: tvl?.token_1_balance ?? null,
      price: tvl?.token_1_price_usd ?? null,
      value: tvl?.token_1_balance_usd ?? null,
    },
  ];
}

/** Null for an empty pool. */
function shareOf(value: number | null, total: number | null): number | null {
  return value === null || total === null || total === 0 ? null : value / total;
}
