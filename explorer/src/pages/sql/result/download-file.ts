import type { SqlFormat } from "@quarry/sdk";
import { quarry } from "../../../queries/service/client.ts";

export interface DownloadedFile {
  bytes: number;
  rowLimit: number;
  truncated: boolean;
}

interface DownloadOptions {
  query: string;
  format: SqlFormat;
  signal: AbortSignal;
  /** Called with the number of bytes received so far. */
  onProgress: (bytes: number) => void;
}

/** Requests the answer as a file and saves it once it is complete, so that no partial file is saved. */
export async function downloadFile(options: DownloadOptions): Promise<DownloadedFile> {
  const { query, format, signal, onProgress } = options;
  // Browsers open CSV in a spreadsheet, where the name of a token could run as a formula.
  const { bytes, rowLimit, truncated } = await quarry.sqlBytes(query, format, { signal, csvSafe: true });
  const chunks: BlobPart[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(new Uint8Array(chunk));
    size += chunk.length;
    onProgress(size);
  }
  saveFile(new Blob(chunks), `quarry-${fileTime()}.${format}`);
  return { bytes: size, rowLimit, truncated };
}

/** Time after which the file's URL is revoked, in ms; long enough for the browser to start reading. */
const REVOKE_AFTER_MS = 60_000;

function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** Formats the current time, in UTC, for a file name: `20261122-140509`. */
function fileTime(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}
