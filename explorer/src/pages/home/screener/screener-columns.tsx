import { formatCount, shareOf, UNKNOWN } from "../../../format/number.ts";
import { poolKind, poolName } from "../../../format/pool.ts";
import type { SparkPoint } from "../../../queries/market/market.ts";
import type { ScreenRow, ScreenSort, ScreenWindow } from "../../../queries/market/screener.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import type { Column } from "../../../ui/table/table.tsx";
import type { SortOrder } from "../../../ui/table/table-order.ts";
import { Age, Change, Price, Usd } from "../../../ui/values/figures.tsx";
import { PoolLink, TokenLink, TokenMark } from "../../../ui/values/links.tsx";
import type { HomeChoices } from "../home-search.ts";
import styles from "./screener.module.css";
import { Sparkline } from "./sparkline.tsx";

/** A column that the service sorts by. */
interface SortedColumn {
  title: string;
  width: number;
  hint: string;
  value: (row: ScreenRow) => number | null;
  cell: Column<ScreenRow>["cell"];
}

const SORTED: Record<ScreenSort, SortedColumn> = {
  price_change_pct: {
    ...{ title: "Change", width: 92, hint: "Change in the robust price over the selected time" },
    value: ({ changePct }) => changePct,
    cell: ({ changePct }) => <Change share={shareOf(changePct)} />,
  },
  volume_usd: {
    ...{ title: "Volume", width: 86, hint: "Volume in the selected time" },
    value: ({ volumeUsd }) => volumeUsd,
    cell: ({ volumeUsd }) => <Usd usd={volumeUsd} />,
  },
  trades: {
    ...{ title: "Trades", width: 76, hint: "Trades in the selected time" },
    value: ({ trades }) => trades,
    cell: ({ trades }) => formatCount(trades),
  },
  traders: {
    ...{ title: "Traders", width: 80, hint: "Wallets that traded in the selected time" },
    value: ({ traders }) => traders,
    cell: ({ traders }) => formatCount(traders),
  },
  liquidity_usd: {
    ...{ title: "Liquidity", width: 88, hint: "Value of the pool, or of a token's most traded pool" },
    value: ({ liquidityUsd }) => liquidityUsd,
    cell: ({ liquidityUsd }) => <Usd usd={liquidityUsd} />,
  },
  created_timestamp: {
    ...{ title: "Age", width: 70, hint: "Time since the pool was created or the token was first seen" },
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => (createdAt === null ? UNKNOWN : <Age timestamp={createdAt} />),
  },
};

interface ColumnsOptions {
  chain: string;
  until: number;
  choices: Pick<HomeChoices, "kind" | "window">;
  points: ReadonlyMap<string, readonly SparkPoint[]> | undefined;
}

/**
 * Returns the columns of the table. screener.module.css hides some of them on narrow screens, by position.
 */
export function screenColumns({ chain, until, choices, points }: ColumnsOptions): Column<ScreenRow>[] {
  return [
    { title: "#", hint: "Position in the list", width: 44, isMinor: true, cell: ({ rank }) => rank },
    {
      title: choices.kind === "token" ? "Token" : "Pool",
      cell: (row) => <Subject chain={chain} row={row} />,
    },
    {
      ...{ title: "Price", hint: "Latest robust price", width: 102, align: "right" },
      cell: ({ priceUsd }) => <Price usd={priceUsd} />,
    },
    ...Object.values(SORTED).map((column) => sortedColumn(column, choices.window)),
    ...(choices.kind === "token" ? [sparkColumn(until, points)] : []),
  ];
}

function sortedColumn({ value, ...column }: SortedColumn, window: ScreenWindow): Column<ScreenRow> {
  return { ...column, title: titleIn(column.title, window), align: "right", sort: value };
}

/** Returns the title of a column. The title of the price change is its window of time. */
function titleIn(title: string, window: ScreenWindow): string {
  return title === SORTED.price_change_pct.title ? window.replace(/\D+/, " $&") : title;
}

function sparkColumn(until: number, points: ColumnsOptions["points"]): Column<ScreenRow> {
  return {
    ...{ title: "24 h price", align: "right", width: 120, isMinor: true },
    cell: ({ address }) => {
      const known = points?.get(address);
      const [first, last] = [known?.[0]?.price_usd, known?.at(-1)?.price_usd];
      const change = first === undefined || last === undefined ? null : last / first - 1;
      return <Sparkline points={known} until={until} change={change} />;
    },
  };
}

/** Converts the sort order of a list to the sort order that the table shows. */
export function orderOf({ sortby, order, window }: HomeChoices): SortOrder {
  const title = titleIn(SORTED[sortby].title, window);
  return { title, direction: order === "desc" ? "descending" : "ascending" };
}

/** Converts the sort order of the table to the sort order of the list. */
export function sortOf({ title, direction }: SortOrder): Pick<HomeChoices, "sortby" | "order"> {
  const entries = Object.entries(SORTED) as [ScreenSort, SortedColumn][];
  const [sortby] = entries.find(([, column]) => column.title === title) ?? ["price_change_pct"];
  return { sortby, order: direction === "descending" ? "desc" : "asc" };
}

function Subject({ chain, row }: { chain: string; row: ScreenRow }) {
  const [token] = row.tokens;
  return (
    <span className={styles.subject}>
      {row.pool === null && token !== undefined ? (
        <TokenLink chain={chain} {...token} />
      ) : (
        <Pair chain={chain} row={row} />
      )}
      {row.isSpam ? <Badge tone="warn">spam</Badge> : null}
      <span className={styles.name} title={row.name ?? undefined}>
        {row.pool === null ? row.name : poolKind(row.pool)}
      </span>
    </span>
  );
}

function Pair({ chain, row: { address, tokens } }: { chain: string; row: ScreenRow }) {
  return (
    <span className={styles.pair}>
      {tokens.slice(0, 2).map((token) => (
        <TokenMark key={token.address} {...token} size={20} />
      ))}
      <PoolLink chain={chain} address={address}>
        {poolName(tokens)}
      </PoolLink>
    </span>
  );
}
