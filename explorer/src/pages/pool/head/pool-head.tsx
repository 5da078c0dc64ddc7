import { useQuery } from "@tanstack/react-query";
import { formatFee, poolName, protocolName } from "../../../format/pool.ts";
import { formatTime } from "../../../format/time.ts";
import { useRollbacks } from "../../../queries/chain/use-chain.ts";
import type { Pool, PoolToken } from "../../../queries/pool/pool.ts";
import { poolWashQuery, WASH_DAYS } from "../../../queries/pool/pool-wash.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { BlockLink, TokenLink, TokenMark } from "../../../ui/values/links.tsx";
import { type Legs, namedTokens } from "../pool-legs.ts";
import styles from "../pool-page.module.css";

interface PoolHeadProps {
  pool: Pool;
  legs: Legs | null;
  /**
   * Whether the order of the tokens is known. Until then they are hidden, so that they do not swap places.
   */
  isOrdered: boolean;
}

export function PoolHead({ pool, legs, isOrdered }: PoolHeadProps) {
  const tokens = namedTokens(pool, legs);
  const { chain, address, created } = pool;
  return (
    <header className={styles.head}>
      <div className={styles.name} data-ordered={isOrdered}>
        <span className={styles.marks}>
          {tokens.map((token) => (
            <TokenMark key={token.address} address={token.address} symbol={token.symbol} size={34} />
          ))}
        </span>
        <h1>{poolName(tokens)}</h1>
        <Badge tone="quiet">{protocolName(pool.protocol)}</Badge>
        {pool.fee === null ? null : (
          <Badge tone="quiet" hint="Swap fee">
            {formatFee(pool.fee)} fee
          </Badge>
        )}
        <WashBadge chain={chain} pool={address} />
      </div>
      <p className={styles.facts}>
        <span className={styles.address}>
          {address}
          <CopyButton text={address} what="address" />
        </span>
        <span>
          {created === null ? (
            "Created before the first indexed block"
          ) : (
            <>
              Created in block <BlockLink chain={chain} number={created.block} />,{" "}
              {formatTime(created.timestamp)} UTC
            </>
          )}
        </span>
        <span className={styles.tokens} data-ordered={isOrdered}>
          Tokens: <TokenLinks chain={chain} tokens={tokens} />
        </span>
        {pool.underlying.length === 0 ? null : (
          <span className={styles.tokens} title="Tokens that swaps may exchange in place of the pool's own">
            Underlying tokens: <TokenLinks chain={chain} tokens={pool.underlying} />
          </span>
        )}
      </p>
    </header>
  );
}

function TokenLinks({ chain, tokens }: { chain: string; tokens: readonly PoolToken[] }) {
  return tokens.map(({ address, symbol }) => (
    <TokenLink key={address} chain={chain} address={address} symbol={symbol} />
  ));
}

/** Warns that the pool's trades are probably wash trades. They are still shown and counted. */
function WashBadge({ chain, pool }: { chain: string; pool: string }) {
  const days = useQuery(poolWashQuery(chain, pool, useRollbacks(chain))).data ?? 0;
  if (days === 0) return null;
  return (
    <Badge
      tone="warn"
      hint={`A few traders made most of the trades on ${days} of the last ${WASH_DAYS} days`}
    >
      Probably wash trading
    </Badge>
  );
}
