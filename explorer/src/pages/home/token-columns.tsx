import { formatCount } from "../../format/number.ts";
import type { SparkPoint, TopToken } from "../../queries/market/market.ts";
import type { Column } from "../../ui/table/table.tsx";
import type { SortOrder } from "../../ui/table/table-order.ts";
import { Change, Price, Usd } from "../../ui/values/figures.tsx";
import { TokenLink } from "../../ui/values/links.tsx";
import { Sparkline } from "./sparkline.tsx";
import styles from "./top-tokens.module.css";

/** The initial order, by volume. */
export const BY_RANK: SortOrder = { title: "#", direction: "ascending" };

/** A top token with its changes and sparkline, which load later. */
export interface TopTokenRow extends TopToken {
  rank: number;
  /** Relative changes: 0.01 is 1 %. */
  changes: Record<"1h" | "24h" | "7d", number | null | undefined>;
  points: readonly SparkPoint[] | undefined;
}

export function tokenColumns(chain: string, until: number): Column<TopTokenRow>[] {
  return [
    {
      title: BY_RANK.title,
      hint: "Rank by volume",
      width: 50,
      isMinor: true,
      sort: ({ rank }) => rank,
      cell: ({ rank }) => rank,
    },
    {
      title: "Token",
      sort: ({ symbol }) => symbol?.toLowerCase(),
      cell: (token) => <Name chain={chain} token={token} />,
    },
    {
      ...figure("Price", 102, ({ price_usd }) => price_usd),
      hint: "Latest robust price",
      cell: ({ price_usd }) => <Price usd={price_usd} />,
    },
    { ...change("1 h", "1h"), isMinor: true },
    change("24 h", "24h"),
    { ...change("7 d", "7d"), isMinor: true },
    {
      ...figure("Volume", 86, ({ volume_usd }) => volume_usd),
      hint: "24 h volume",
      cell: ({ volume_usd }) => <Usd usd={volume_usd} />,
    },
    {
      ...figure("Trades", 78, ({ trades }) => trades),
      hint: "24 h trades",
      isMinor: true,
      cell: ({ trades }) => formatCount(trades),
    },
    {
      ...figure("Traders", 82, ({ traders }) => traders),
      hint: "Wallets that traded the token within 24 hours",
      isMinor: true,
      cell: ({ traders }) => formatCount(traders),
    },
    {
      title: "24 h price",
      align: "right",
      width: 120,
      isMinor: true,
      cell: ({ points, changes }) => <Sparkline points={points} until={until} change={changes["24h"]} />,
    },
  ];
}

function figure(title: string, width: number, sort: (token: TopTokenRow) => number | null | undefined) {
  return { title, width, sort, align: "right" as const };
}

function change(title: string, period: keyof TopTokenRow["changes"]): Column<TopTokenRow> {
  const share = ({ changes }: TopTokenRow) => changes[period];
  return { ...figure(title, 86, share), cell: (token) => <Change share={share(token)} /> };
}

function Name({ chain, token }: { chain: string; token: TopToken }) {
  return (
    <span className={styles.token}>
      <TokenLink chain={chain} address={token.token_address} symbol={token.symbol} />
      <span className={styles.name} title={token.name ?? undefined}>
        {token.name}
      </span>
    </span>
  );
}
