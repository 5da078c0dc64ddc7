import { useQuery } from "@tanstack/react-query";
import { formatCount, formatCounted, UNKNOWN } from "../../format/number.ts";
import { parseTime } from "../../format/time.ts";
import { formatUnits } from "../../format/units.ts";
import { useRollbacks } from "../../queries/chain/use-chain.ts";
import {
  type Holder,
  type Holders,
  holdersSql,
  tokenHoldersQuery,
} from "../../queries/token/token-holders.ts";
import { CopyRequest } from "../../ui/controls/copy-request.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Age } from "../../ui/values/figures.tsx";
import { PoolLink, WalletLink } from "../../ui/values/links.tsx";
import styles from "./token.module.css";
import { useToken } from "./token-search.ts";

const HEIGHT = 800;

interface HoldersPanelProps {
  symbol: string;
  decimals: number | null;
}

export function HoldersPanel({ symbol, decimals }: HoldersPanelProps) {
  const { chain, address } = useToken();
  const query = useQuery(tokenHoldersQuery(chain, address, useRollbacks(chain)));
  const sql = holdersSql(chain, address).sql;
  return (
    <Panel
      title={`Largest holders of ${symbol}`}
      actions={<CopyRequest what="holders" request={{ method: "sql", query: sql }} />}
    >
      <QueryContent query={query} height={HEIGHT}>
        {(holders) => (
          <>
            <Table
              label="Holders"
              columns={columnsOf({ chain, decimals, sum: holders.sum })}
              rows={holders.holders}
              keyOf={({ wallet }) => wallet}
              empty={`No known balance of ${symbol} is above zero.`}
            />
            <p className={styles.foot}>{summaryText(holders)}</p>
          </>
        )}
      </QueryContent>
    </Panel>
  );
}

function columnsOf(options: {
  chain: string;
  decimals: number | null;
  sum: string | null;
}): readonly Column<Holder>[] {
  const { chain, decimals, sum } = options;
  return [
    { title: "Address", cell: (holder) => <HolderLink chain={chain} holder={holder} /> },
    {
      title: decimals === null ? "Balance (base units)" : "Balance",
      hint: decimals === null ? "The token has no decimals" : "Exact to the last digit",
      align: "right",
      cell: ({ base }) => formatUnits(base, decimals),
    },
    {
      title: "Share",
      hint: "Of the sum of all known balances, including pools",
      align: "right",
      cell: ({ base }) => shareText(base, sum),
    },
    {
      title: "Last change",
      align: "right",
      isMinor: true,
      cell: ({ changedAt }) => <Age timestamp={parseTime(changedAt)} />,
    },
  ];
}

function HolderLink({ chain, holder }: { chain: string; holder: Holder }) {
  const { wallet, isPool } = holder;
  if (!isPool) return <WalletLink chain={chain} address={wallet} />;
  return (
    <span className={styles.pool}>
      <PoolLink chain={chain} address={wallet} />
      <span>pool</span>
    </span>
  );
}

/** Smaller shares are shown as less than this, not as 0.00 %. */
const MIN_PERCENT = 0.01;

/**
 * Formats a balance's share of all balances. Divides as bigint, because a balance may exceed the precision of
 * a number.
 */
function shareText(base: string, sum: string | null): string {
  if (sum === null || BigInt(sum) === 0n) return UNKNOWN;
  const percent = Number((BigInt(base) * 1_000_000n) / BigInt(sum)) / 10_000;
  return percent < MIN_PERCENT ? `< ${MIN_PERCENT} %` : `${percent.toFixed(2)} %`;
}

function summaryText({ holders, count, unknown }: Holders): string {
  const part =
    count > holders.length ? `The ${holders.length} largest of ${formatCount(count)} holders.` : "";
  const all =
    count === 0 || part !== "" ? "" : count === 1 ? "The only holder." : `All ${formatCount(count)} holders.`;
  const others =
    unknown === 0
      ? ""
      : ` The balances of ${formatCounted(unknown, "more address", "more addresses")} cannot be derived from the indexed transfers.`;
  return `${part}${all}${others} As of when the page was opened.`;
}
