import type { TopRecords, TopRecordsTable } from "@quarry/sdk";

/** A table's row as SQL returns it: a record of the API, but with a string as timestamp. */
export type SqlRow<Table extends TopRecordsTable> = Omit<
  TopRecords<Table>["groups"][string][number],
  "timestamp"
> & { timestamp: string };
