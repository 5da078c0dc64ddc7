import type { Log } from "../../queries/chain/transactions.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import styles from "./transaction-page.module.css";

/** Logs in the order in which they were emitted; each expands to its topics and data. */
export function LogList({ logs }: { logs: readonly Log[] }) {
  if (logs.length === 0) return <Notice>No logs.</Notice>;
  return (
    <ul className={styles.logs}>
      {logs.map((log) => (
        <li key={log.log_index}>
          <details>
            <summary>
              <span className={styles.quiet}>{log.log_index}</span> <code>{log.address}</code>{" "}
              <code className={styles.quiet}>{log.topic_0?.slice(0, TOPIC_PREFIX) ?? "anonymous"}</code>
            </summary>
            <dl className={styles.fields}>
              {fieldsOf(log).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <code>{value}</code>
                    <CopyButton text={value} what={name} />
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** Length of the topic prefix that identifies an event. */
const TOPIC_PREFIX = 10;

function fieldsOf(log: Log): [name: string, value: string][] {
  const { address, topic_0, topic_1, topic_2, topic_3, data } = log;
  const all: [string, string | null][] = [
    ["address", address],
    ["topic 0", topic_0],
    ["topic 1", topic_1],
    ["topic 2", topic_2],
    ["topic 3", topic_3],
    ["data", data],
  ];
  return all.filter((field): field is [string, string] => field[1] !== null);
}
