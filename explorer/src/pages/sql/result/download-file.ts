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
  /** Called with the bytes so far. */
  onProgress: (bytes: number) => void;
}

/** Asks for the whole answer as a file, and hands it to the browser once all of it is there: never half a file. */
export async function downloadFile(options: DownloadOptions): Promise<DownloadedFile> {
  const { query, format, signal, onProgress } = options;
  const { bytes, rowLimit, truncated } = await quarry.sqlBytes(query, format, { signal });
  const pieces: BlobPart[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(new Uint8Array(piece));
    size += piece.length;
    onProgress(size);
  }
  hand(new Blob(pieces), `quarry-${fileTime()}.${format}`);
  return { bytes: size, rowLimit, truncated };
}

/** Long enough for a browser to begin reading. */
const KEPT_MS = 60_000;

function hand(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** `20261122-140509`, in UTC. */
function fileTime(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}
