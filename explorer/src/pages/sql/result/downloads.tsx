import type { SqlFormat } from "@quarry/sdk";
import { useEffect, useRef, useState } from "react";
import { formatCompact, formatCount } from "../../../format/number.ts";
import { Button } from "../../../ui/controls/button.tsx";
import styles from "../sql-page.module.css";
import { type DownloadedFile, downloadFile } from "./download-file.ts";

const FORMATS: readonly { format: SqlFormat; title: string }[] = [
  { format: "csv", title: "CSV" },
  { format: "json", title: "JSON" },
  { format: "ndjson", title: "NDJSON" },
  { format: "parquet", title: "Parquet" },
  { format: "arrow", title: "Arrow" },
];

type State =
  | { kind: "idle" }
  | { kind: "loading"; format: SqlFormat; bytes: number }
  | { kind: "done"; format: SqlFormat; file: DownloadedFile }
  | { kind: "failed"; message: string };

/**
 * Downloads a query's answer as a file. The query runs again, because a file may have more rows than the page
 * shows.
 */
export function Downloads({ query }: { query: string }) {
  const [state, setState] = useState<State>({ kind: "idle" });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const start = async (format: SqlFormat) => {
    const controller = new AbortController();
    current.current = controller;
    setState({ kind: "loading", format, bytes: 0 });
    try {
      const onProgress = (bytes: number) => setState({ kind: "loading", format, bytes });
      const file = await downloadFile({ query, format, signal: controller.signal, onProgress });
      setState({ kind: "done", format, file });
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: "idle" });
      else setState({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  };
  const isLoading = state.kind === "loading";
  return (
    <div className={styles.downloads}>
      <span className={styles.quiet}>Download</span>
      {FORMATS.map(({ format, title }) => (
        <Button key={format} disabled={isLoading} onClick={() => void start(format)}>
          {title}
        </Button>
      ))}
      {isLoading ? <Button onClick={() => current.current?.abort()}>Cancel download</Button> : null}
      <span role="status" className={styles.quiet}>
        {statusText(state)}
      </span>
    </div>
  );
}

function statusText(state: State): string {
  if (state.kind === "idle") return "";
  if (state.kind === "failed") return `Download failed: ${state.message}`;
  if (state.kind === "loading") return `${state.format}: ${sizeText(state.bytes)} so far`;
  const { bytes, truncated, rowLimit } = state.file;
  const limit = truncated ? `, limited to ${formatCount(rowLimit)} rows; set a LIMIT to get more` : "";
  return `${state.format}: ${sizeText(bytes)}${limit}`;
}

function sizeText(bytes: number): string {
  return `${bytes < 1000 ? formatCount(bytes) : formatCompact(bytes)} bytes`;
}
