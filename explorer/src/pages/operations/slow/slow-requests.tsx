import type { Operations, SlowRequest } from "@quarry/sdk";
import { useState } from "react";
import { formatCount } from "../../../format/number.ts";
import { Choice } from "../../../ui/controls/choice.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Table } from "../../../ui/table/table.tsx";
import styles from "../operations.module.css";
import { slowColumns } from "./slow-columns.tsx";

const HEIGHT = 460;

const LISTS = [
  { value: "latest", title: "Latest" },
  { value: "slowest", title: "Slowest in 24 h" },
] as const;

/** Slow requests: the latest, or the slowest. */
export function SlowRequests({ slow }: { slow: Operations["slow_requests"] }) {
  const [list, setList] = useState<"latest" | "slowest">("latest");
  const { after_seconds, has_texts, total } = slow;
  return (
    <Panel
      title={`Slow requests (${formatCount(total)})`}
      actions={<Choice label="List" options={LISTS} value={list} onChange={setList} />}
    >
      <Table
        key={list}
        label="Slow requests"
        columns={slowColumns(slow[list])}
        rows={slow[list]}
        keyOf={keyOf}
        maxHeight={HEIGHT}
        empty={`No request has taken longer than ${after_seconds} s${list === "slowest" ? " in the last 24 hours" : ""}.`}
      />
      {has_texts || total === 0 ? null : (
        <p className={styles.foot}>
          The text of SQL queries is not kept. Start the service with <code>--log-queries</code> to see it.
        </p>
      )}
    </Panel>
  );
}

const keyOf = ({ request_id }: SlowRequest) => request_id;
