import { skipToken, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { sparksQuery } from "../../../queries/market/market.ts";
import { SCREEN_ROWS, type Screen, type ScreenRow, screenerQuery } from "../../../queries/market/screener.ts";
import { CopyRequest } from "../../../ui/controls/copy-request.tsx";
import { QueryContent } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Table } from "../../../ui/table/table.tsx";
import { type HomeChoices, type HomeSearch, useHomeChoices } from "../home-search.ts";
import styles from "./screener.module.css";
import { orderOf, screenColumns, sortOf } from "./screener-columns.tsx";
import { HiddenRows, ScreenerControls } from "./screener-controls.tsx";
import { summaryOf } from "./screener-summary.ts";

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 40;

/**
 * Lists tokens or pools by volume, trades, traders, price change, liquidity or age, updated with each block.
 */
export function Screener({ chain, until }: { chain: string | null; until: number | undefined }) {
  const [choices, setChoices] = useHomeChoices();
  const [showsSpam, setShowsSpam] = useState(false);
  const parameters = { ...parametersOf(choices), show_spam: showsSpam };
  const options = screenerQuery(chain ?? "", parameters);
  const query = useQuery(chain === null ? { ...options, queryFn: skipToken } : options);
  const title = titleOf(choices);
  return (
    <Panel
      title={title}
      actions={
        <>
          <HiddenRows
            choices={choices}
            setChoices={setChoices}
            spam={{ isShown: showsSpam, setShown: setShowsSpam, count: spamCount(query.data) }}
          />
          <CopyRequest
            what="rows"
            request={{ method: "screener", parameters: { ...parameters, chain: chain ?? undefined } }}
          />
        </>
      }
    >
      <ScreenerControls choices={choices} setChoices={setChoices} />
      <div className={styles.list} aria-busy={query.isPlaceholderData}>
        <QueryContent query={query} height={HEADER_HEIGHT + ROW_HEIGHT * SCREEN_ROWS}>
          {(screen) => (
            <>
              <Rows
                chain={chain ?? ""}
                until={until ?? 0}
                label={`${title}, ${choices.window}`}
                {...{ screen, choices, setChoices }}
              />
              <p className={styles.foot}>{summaryOf(screen, choices.kind)}</p>
            </>
          )}
        </QueryContent>
      </div>
    </Panel>
  );
}

function parametersOf({ min_volume_usd, exclude_wash, ...choices }: HomeChoices) {
  return {
    ...{ ...choices, size: SCREEN_ROWS },
    ...(min_volume_usd > 0 ? { min_volume_usd } : {}),
    ...(exclude_wash ? { exclude_wash } : {}),
  };
}

const SORT_TITLES: Partial<Record<HomeChoices["sortby"], string>> = {
  volume_usd: "Top",
  price_change_pct: "Moving",
  created_timestamp: "New",
};

function titleOf({ kind, sortby }: HomeChoices): string {
  const noun = kind === "token" ? "tokens" : "pools";
  return `${SORT_TITLES[sortby] ?? "Traded"} ${noun}`;
}

/** Returns the number of spam rows, whether hidden or shown on request. */
function spamCount(screen: Screen | undefined): number {
  if (screen === undefined) return 0;
  return screen.hiddenSpam + screen.rows.filter(({ isSpam }) => isSpam).length;
}

interface RowsProps {
  chain: string;
  until: number;
  label: string;
  screen: Screen;
  choices: HomeChoices;
  setChoices: (change: HomeSearch) => void;
}

function Rows({ chain, until, label, screen: { rows }, choices, setChoices }: RowsProps) {
  const points = useSparks(chain, until, rows);
  return (
    <Table
      label={label}
      columns={screenColumns({ chain, until, choices, points })}
      rows={rows}
      order={orderOf(choices)}
      onOrder={(order) => setChoices(sortOf(order))}
      keyOf={({ address }) => address}
      empty={
        choices.sortby === "created_timestamp"
          ? "Nothing matches these filters."
          : "No trades in this time match these filters."
      }
    />
  );
}

/** Returns the prices of the last 24 hours, by token. Reads them every half minute, not with each block. */
function useSparks(chain: string, until: number, rows: readonly ScreenRow[]) {
  // Sorted, so that the same tokens in another order are the same query.
  const addresses = useMemo(
    () =>
      rows
        .filter(({ kind }) => kind === "token")
        .map(({ address }) => address)
        .sort(),
    [rows],
  );
  const sparks = sparksQuery(chain, addresses, until);
  const isKnown = until > 0 && addresses.length > 0;
  const { data } = useQuery(isKnown ? sparks : { ...sparks, queryFn: skipToken });
  return data;
}
