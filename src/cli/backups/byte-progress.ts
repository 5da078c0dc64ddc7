import { ProgressLine } from "../terminal/progress-line.ts";
import { sizeText } from "../terminal/sizes.ts";

interface ByteCounts {
  table?: string;
  doneBytes: number;
  totalBytes: number;
}

/** Shows the progress of `quarry backup` and `quarry restore` on standard error. */
export class ByteProgress extends ProgressLine {
  update({ table, doneBytes, totalBytes }: ByteCounts): void {
    const share = totalBytes === 0 ? 1 : doneBytes / totalBytes;
    const place = table === undefined ? "" : `${table} | `;
    this.show(share, `${place}${sizeText(doneBytes)} of ${sizeText(totalBytes)}`);
  }
}
