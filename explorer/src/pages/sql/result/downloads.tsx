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
  | { kind: "none" }
  | { kind: "coming"; format: SqlFormat; bytes: number }
  | { kind: "there"; format: SqlFormat; file: DownloadedFile }
  | { kind: "failed"; sentence: string };

/** The whole answer of a query as a file. The query is asked anew: a page shows fewer rows than a file may have. */
export function Downloads({ query }: { query: string }) {
  const [state, setState] = useState<State>({ kind: "none" });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const start = async (format: SqlFormat) => {
    const controller = new AbortController();
    current.current = controller;
    setState({ kind: "coming", format, bytes: 0 });
    try {
      const onProgress = (bytes: number) => setState({ kind: "coming", format, bytes });
      const file = await downloadFile({ query, format, signal: controller.signal, onProgress });
      setState({ kind: "there", format, file });
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: "none" });
      else setState({ kind: "failed", sentence: error instanceof Error ? error.message : String(error) });
    }
  };
  const isComing = state.kind === "coming";
  return (
    <div className={styles.downloads}>
      <span className={styles.quiet}>Download</span>
      {FORMATS.map(({ format, title }) => (
        <Button key={format} disabled={isComing} onClick={() => void start(format)}>
          {title}
        </Button>
      ))}
      {isComing ? <Button onClick={() => current.current?.abort()}>Cancel download</Button> : null}
      <span role="status" className={styles.quiet}>
        {sentenceOf(state)}
      </span>
    </div>
  );
}

function sentenceOf(state: State): string {
  if (state.kind === "none") return "";
  if (state.kind === "failed") return `The download failed: ${state.sentence}`;
  if (state.kind === "coming") return `${state.format}: ${sizeText(state.bytes)} so far`;
  const { bytes, truncated, rowLimit } = state.file;
  const limit = truncated ? `, cut at ${formatCount(rowLimit)} rows: write a LIMIT for more` : "";
  return `${state.format}: ${sizeText(bytes)}${limit}`;
}

function sizeText(bytes: number): string {
  return `${bytes < 1000 ? formatCount(bytes) : formatCompact(bytes)} bytes`;
}
