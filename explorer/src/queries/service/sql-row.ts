import type { TopRecords, TopRecordsTable } from "@quarry/sdk";

/** A table's row as SQL answers it: as the API's records are, but for its time, which is told as a text. */
export type SqlRow<Table extends TopRecordsTable> = Omit<
  TopRecords<Table>["groups"][string][number],
  "timestamp"
> & { timestamp: string };
