import type { SqlSchema } from "@quarry/sdk";
import { useMemo, useState } from "react";
import { formatCount } from "../../../format/number.ts";
import { formatTime } from "../../../format/time.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Choice } from "../../../ui/controls/choice.tsx";
import { ErrorNotice, Notice } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import type { QueryError } from "../editor/query-error.ts";
import { tableOf } from "../editor/query-table.ts";
import { type Answer, MAX_SHOWN_ROWS, type Runs, useElapsed } from "../query-runs.ts";
import styles from "../sql-page.module.css";
import { chartColumnsOf } from "./chart-series.ts";
import { Downloads } from "./downloads.tsx";
import { ResultChart } from "./result-chart.tsx";
import { columnsOf } from "./result-columns.ts";
import { ResultTable } from "./result-table.tsx";

interface ResultsProps {
  runs: Runs;
  schema: SqlSchema | undefined;
  /** The error in the editor's text, if its position is known. */
  queryError: QueryError | null;
  onGoTo: (range: { from: number; to: number }) => void;
}

/** The outcome of the last run, or the elapsed time of the current one. */
export function Results({ runs, schema, queryError, onGoTo }: ResultsProps) {
  const { running, outcome } = runs;
  if (running !== null && outcome?.kind !== "answered") {
    return (
      <Panel title="Running">
        <div className={styles.waiting}>
          <Elapsed startedAt={running.startedAt} />
        </div>
      </Panel>
    );
  }
  if (outcome === null) {
    return (
      <Panel title="Result">
        <Notice>Write a query and run it, or start with an example. Rows and a chart appear here.</Notice>
      </Panel>
    );
  }
  if (outcome.kind === "cancelled") {
    return (
      <Panel title="Cancelled">
        <Notice>The query was cancelled.</Notice>
      </Panel>
    );
  }
  if (outcome.kind === "failed") {
    const retry = () => runs.run(outcome.query);
    return <Failed error={outcome.error} retry={retry} queryError={queryError} onGoTo={onGoTo} />;
  }
  return (
    <div className={running === null ? undefined : styles.older}>
      <AnswerPanel answer={outcome.answer} schema={schema} key={outcome.answer.query} />
    </div>
  );
}

interface FailedProps extends Pick<ResultsProps, "queryError" | "onGoTo"> {
  error: Error;
  retry: () => void;
}

function Failed({ error, retry, queryError, onGoTo }: FailedProps) {
  return (
    <Panel title="Query failed">
      {queryError === null ? (
        <ErrorNotice error={error} retry={retry} />
      ) : (
        <div className={styles.mistake} role="alert">
          <p>{queryError.message}</p>
          <Button onClick={() => onGoTo(queryError)}>Go to error</Button>
        </div>
      )}
    </Panel>
  );
}

/** Elapsed time of the query in seconds. */
export function Elapsed({ startedAt }: { startedAt: number }) {
  return <span className={styles.quiet}>{(useElapsed(startedAt) / 1000).toFixed(1)} s</span>;
}

type View = "table" | "chart";

const VIEWS = [
  { value: "table", title: "Table" },
  { value: "chart", title: "Chart" },
] as const;

function AnswerPanel({ answer, schema }: { answer: Answer; schema: SqlSchema | undefined }) {
  const { rows, query } = answer;
  const [view, setView] = useState<View>("table");
  const table = useMemo(() => tableOf(schema, query), [schema, query]);
  const columns = useMemo(() => columnsOf(rows, table), [rows, table]);
  const chartColumns = useMemo(() => chartColumnsOf(rows, columns), [rows, columns]);
  const choice =
    chartColumns === null ? undefined : (
      <Choice label="View" options={VIEWS} value={view} onChange={setView} />
    );
  return (
    <Panel title="Result" actions={choice}>
      <Facts answer={answer} />
      {rows.length === 0 ? (
        <Notice>{emptyText(answer)}</Notice>
      ) : view === "chart" && chartColumns !== null ? (
        <ResultChart rows={rows} columns={chartColumns} key={columns.map(({ name }) => name).join()} />
      ) : (
        <ResultTable rows={rows} columns={columns} chain={table?.chain ?? null} />
      )}
      {rows.length === 0 ? null : <Downloads query={query} />}
    </Panel>
  );
}

function emptyText({ rowLimit }: Answer): string {
  return rowLimit === 0 ? "0 rows: the query has LIMIT 0." : "0 rows: no rows match this query.";
}

/** Row counts, times and limits of an answer, and whether it is complete. */
function Facts({ answer }: { answer: Answer }) {
  const { rows, isCut, truncated, rowLimit, elapsedMs, rowsRead, asOf } = answer;
  return (
    <div className={styles.facts} role="status">
      <span>
        {isCut
          ? `first ${formatCount(MAX_SHOWN_ROWS)} rows`
          : `${formatCount(rows.length)} ${plural(rows.length)}`}
      </span>
      {elapsedMs === null ? null : <span>{formatCount(elapsedMs)} ms</span>}
      {rowsRead === null ? null : <span>{formatCount(rowsRead)} rows read</span>}
      <span>limit {formatCount(rowLimit)}</span>
      {asOf === null ? null : (
        <span title={`${formatTime(asOf.timestamp)} UTC`}>as of block {formatCount(asOf.block)}</span>
      )}
      {truncated ? (
        <strong className={styles.warning}>
          Incomplete: there are more than {formatCount(rowLimit)} rows. Add a LIMIT for more.
        </strong>
      ) : null}
      {isCut ? (
        <strong className={styles.warning}>
          Only the first rows are shown. Download a file for all rows.
        </strong>
      ) : null}
    </div>
  );
}

function plural(count: number): string {
  return count === 1 ? "row" : "rows";
}
