import type { SlowRequest } from "@quarry/sdk";
import { Link } from "@tanstack/react-router";
import { formatCount, UNKNOWN } from "../../../format/number.ts";
import { formatDuration } from "../../../format/time.ts";
import { visibleText } from "../../../format/visible-text.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import type { Column } from "../../../ui/table/table.tsx";
import { Ago } from "../../../ui/values/figures.tsx";
import styles from "./slow-columns.module.css";

/** Returns the columns. Omits the column for rows read if no engine reports them. */
export function slowColumns(requests: readonly SlowRequest[]): Column<SlowRequest>[] {
  const hasRows = requests.some(({ rows_read }) => rows_read !== null);
  return COLUMNS.filter(({ title }) => title !== ROWS_READ || hasRows);
}

const ROWS_READ = "Rows read";

const COLUMNS: readonly Column<SlowRequest>[] = [
  { title: "When", sort: ({ at }) => at, cell: ({ at }) => <Ago timestamp={at} /> },
  {
    title: "Took",
    hint: "Time until the response was ready, including the wait in queues",
    align: "right",
    sort: ({ ms }) => ms,
    cell: ({ ms }) => formatDuration(ms),
  },
  {
    title: "Ran",
    hint: "How long the SQL query ran",
    align: "right",
    isMinor: true,
    sort: ({ run_ms }) => run_ms,
    cell: ({ run_ms }) => formatDuration(run_ms),
  },
  {
    title: "Status",
    align: "right",
    sort: ({ status }) => status,
    cell: ({ status }) => <Status status={status} />,
  },
  {
    title: "Request",
    sort: ({ path }) => path,
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  { title: "Chain", isMinor: true, sort: ({ chain }) => chain, cell: ({ chain }) => chain ?? UNKNOWN },
  {
    title: ROWS_READ,
    hint: "Only a ClickHouse server reports them",
    align: "right",
    isMinor: true,
    sort: ({ rows_read }) => rows_read,
    cell: ({ rows_read }) => formatCount(rows_read),
  },
  { title: "Client", sort: ({ client }) => client, cell: ({ client }) => visibleText(client) },
  {
    title: "SQL",
    hint: "The text, or its fingerprint in the log",
    sort: ({ query }) => query,
    cell: (request) => <Statement request={request} />,
  },
  {
    title: "Request id",
    hint: "Identifies the request in the log",
    cell: ({ request_id }) => (
      <span className={styles.id}>
        <code>{request_id.slice(0, 8)}</code>
        <CopyButton text={request_id} what="request id" />
      </span>
    ),
  },
];

function Status({ status }: { status: number }) {
  if (status < 400) return status;
  const hint = status === CLIENT_CLOSED ? "The client disconnected before the response was sent" : undefined;
  return (
    <Badge tone={status >= 500 ? "down" : "warn"} {...(hint === undefined ? {} : { hint })}>
      {status}
    </Badge>
  );
}

const CLIENT_CLOSED = 499;

/** Maximum number of characters that the service keeps of a string. */
const MAX_TEXT = 2_000;

/** A client's SQL may be hostile, so it is shown as plain text with its invisible characters escaped. */
function Statement({ request: { query, sql } }: { request: SlowRequest }) {
  if (query === null) return UNKNOWN;
  if (sql === null) return <code>{query}</code>;
  const isWhole = sql.length < MAX_TEXT;
  return (
    <span className={styles.statement}>
      <code className={styles.text} title={`${query}\n${sql}`}>
        {visibleText(sql.replaceAll(/\s+/g, " "))}
      </code>
      <CopyButton text={sql} what={isWhole ? "SQL" : "beginning of the SQL"} />
      {isWhole ? (
        <Link to="/sql" search={{ query: sql }}>
          Open
        </Link>
      ) : (
        <span title={`Only the first ${formatCount(MAX_TEXT)} characters are kept`}>Beginning</span>
      )}
    </span>
  );
}
