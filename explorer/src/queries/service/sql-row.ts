import type { TopRecords, TopRecordsTable } from "@quarry/sdk";

/** A table's row as SQL returns it: a record of the API, but with the timestamp as a string. */
export type SqlRow<Table extends TopRecordsTable> = Omit<
  TopRecords<Table>["groups"][string][number],
  "timestamp"
> & { timestamp: string };
