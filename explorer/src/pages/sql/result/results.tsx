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
import { drawableOf } from "./chart-series.ts";
import { Downloads } from "./downloads.tsx";
import { ResultChart } from "./result-chart.tsx";
import { columnsOf } from "./result-columns.ts";
import { ResultTable } from "./result-table.tsx";

interface ResultsProps {
  runs: Runs;
  schema: SqlSchema | undefined;
  /** Where the text in the editor is wrong, where that is known. */
  mistake: QueryError | null;
  onGoTo: (place: { from: number; to: number }) => void;
}

/** What the query that ran last came to, or how long the one that runs takes. */
export function Results({ runs, schema, mistake, onGoTo }: ResultsProps) {
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
        <Notice>
          Write a query and run it, or begin with an example. Rows stand here, and a chart of them.
        </Notice>
      </Panel>
    );
  }
  if (outcome.kind === "cancelled") {
    return (
      <Panel title="Cancelled">
        <Notice>The query was given up; the service stopped it.</Notice>
      </Panel>
    );
  }
  if (outcome.kind === "failed") {
    const retry = () => runs.run(outcome.query);
    return <Failed error={outcome.error} retry={retry} mistake={mistake} onGoTo={onGoTo} />;
  }
  return (
    <div className={running === null ? undefined : styles.older}>
      <AnswerPanel answer={outcome.answer} schema={schema} key={outcome.answer.query} />
    </div>
  );
}

interface FailedProps extends Pick<ResultsProps, "mistake" | "onGoTo"> {
  error: Error;
  retry: () => void;
}

function Failed({ error, retry, mistake, onGoTo }: FailedProps) {
  return (
    <Panel title="No answer">
      {mistake === null ? (
        <ErrorNotice error={error} retry={retry} />
      ) : (
        <div className={styles.mistake} role="alert">
          <p>{mistake.sentence}</p>
          <Button onClick={() => onGoTo(mistake)}>Show me where</Button>
        </div>
      )}
    </Panel>
  );
}

/** How long the query runs, in seconds. */
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
  const drawable = useMemo(() => drawableOf(rows, columns), [rows, columns]);
  const choice =
    drawable === null ? undefined : <Choice label="View" options={VIEWS} value={view} onChange={setView} />;
  return (
    <Panel title="Result" actions={choice}>
      <Facts answer={answer} />
      {rows.length === 0 ? (
        <Notice>{emptySentence(answer)}</Notice>
      ) : view === "chart" && drawable !== null ? (
        <ResultChart rows={rows} drawable={drawable} key={columns.map(({ name }) => name).join()} />
      ) : (
        <ResultTable rows={rows} columns={columns} chain={table?.chain ?? null} />
      )}
      {rows.length === 0 ? null : <Downloads query={query} />}
    </Panel>
  );
}

function emptySentence({ rowLimit }: Answer): string {
  return rowLimit === 0
    ? "0 rows: the query asks for none (LIMIT 0)."
    : "0 rows: nothing in the index fits this query.";
}

/** What is known of an answer, and whether it is all there is. */
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
          Not all rows: the query has more than {formatCount(rowLimit)}. Write a LIMIT for more.
        </strong>
      ) : null}
      {isCut ? (
        <strong className={styles.warning}>More rows are in the files below than a page shows.</strong>
      ) : null}
    </div>
  );
}

function plural(count: number): string {
  return count === 1 ? "row" : "rows";
}
