import type { paths } from "./api-types.ts";
import { type AsOf, asOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { ask, type CallOptions } from "./request.ts";

type TopRecordsPath = Extract<keyof paths, `/v1/topk-api/${string}`>;
type PathOf<T extends TopRecordsTable> = `/v1/topk-api/${T}`;
type Operation<T extends TopRecordsTable> = paths[PathOf<T>]["post"];

/** A table that records are asked of: `dex-trades`, `erc20`, ... */
export type TopRecordsTable = TopRecordsPath extends `/v1/topk-api/${infer T}` ? T : never;

export type TopRecordsQuestion<T extends TopRecordsTable> =
  Operation<T>["requestBody"]["content"]["application/json"];

type TopRecordsAnswer<T extends TopRecordsTable> =
  Operation<T>["responses"][200]["content"]["application/json"];

export interface TopRecords<T extends TopRecordsTable> {
  /** The records of each value of `eq`, under the value as it was given. */
  groups: TopRecordsAnswer<T>;
  asOf: AsOf | null;
}

export async function topRecords<T extends TopRecordsTable>(
  connection: Connection,
  { table, ...options }: { table: T; body: TopRecordsQuestion<T> } & CallOptions,
): Promise<TopRecords<T>> {
  const path: PathOf<T> = `/v1/topk-api/${table}`;
  const reply = await ask<TopRecordsAnswer<T>>(connection, { path, ...options });
  return { groups: reply.body, asOf: asOf(reply) };
}
