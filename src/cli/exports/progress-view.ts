import { ProgressLine } from "../terminal/progress-line.ts";

interface CopyProgress {
  date: string;
  table?: string;
  doneRows: number;
  totalRows: number;
}

/** Shows the progress of `quarry export` and `quarry import` on standard error. */
export class ProgressView extends ProgressLine {
  update({ date, table, doneRows, totalRows }: CopyProgress): void {
    const share = totalRows === 0 ? 1 : doneRows / totalRows;
    const place = table === undefined ? date : `${date} ${table}`;
    this.show(share, `${place} | ${doneRows} of ${totalRows} rows`);
  }
}
