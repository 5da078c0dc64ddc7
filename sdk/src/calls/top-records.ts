import type { paths } from "../api-types.ts";
import type { PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { groupsPerRequest, parts, requestInParts } from "../connection/parts.ts";
import type { CallOptions } from "../connection/request.ts";

/**
 * The service's limits for one request: the number of values of `eq`, and the number of records in the
 * response.
 */
export const MAX_RECORDS_PER_REQUEST = { groups: 10_000, rows: 100_000 };

const DEFAULT_SIZE = 1;

type TopRecordsPath = Extract<keyof paths, `/v1/topk-api/${string}`>;
type PathOf<T extends TopRecordsTable> = `/v1/topk-api/${T}`;
type Operation<T extends TopRecordsTable> = paths[PathOf<T>]["post"];

/** A table with top records, e.g. `dex-trades` or `erc20`. */
export type TopRecordsTable = TopRecordsPath extends `/v1/topk-api/${infer T}` ? T : never;

export type TopRecordsParams<T extends TopRecordsTable> =
  Operation<T>["requestBody"]["content"]["application/json"];

type TopRecordsAnswer<T extends TopRecordsTable> =
  Operation<T>["responses"][200]["content"]["application/json"];

export interface TopRecords<T extends TopRecordsTable> extends PartsAsOf {
  /** The records of each value of `eq`. The keys are the values as given. */
  groups: TopRecordsAnswer<T>;
}

export async function topRecords<T extends TopRecordsTable>(
  connection: Connection,
  { table, body, ...options }: { table: T; body: TopRecordsParams<T> } & CallOptions,
): Promise<TopRecords<T>> {
  const path: PathOf<T> = `/v1/topk-api/${table}`;
  const values = [...new Map([body.eq].flat().map((value) => [String(value), value])).values()];
  const most = groupsPerRequest(body.size ?? DEFAULT_SIZE, MAX_RECORDS_PER_REQUEST);
  const bodies = parts(values, most).map((eq) => ({ ...body, eq }));
  const { answers, ...known } = await requestInParts<TopRecordsAnswer<T>, typeof body>(connection, {
    path,
    bodies,
    ...options,
  });
  // A key may be any string, even `__proto__`. `Object.fromEntries` makes it an ordinary field.
  return { groups: Object.fromEntries(answers.flatMap(Object.entries)) as TopRecordsAnswer<T>, ...known };
}
