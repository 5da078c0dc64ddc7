import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";

/** What else an address is known as. */
export interface Subject {
  isPool: boolean;
  isToken: boolean;
}

/** Whether there is a pool or a token at an address. */
export function subjectQuery(chain: string, address: string) {
  return liveQuery(["subject", chain, address], async (signal): Promise<Subject> => {
    const isIn = async (name: string, column: string) => {
      const { sql } =
        sqlText`SELECT record_index FROM ${table(chain, name)} WHERE ${{ sql: column }} = ${address} LIMIT 1`;
      return (await quarry.sql(sql, { signal })).rows.length > 0;
    };
    const [isPool, isToken] = await Promise.all([
      isIn("pool_metadata", "pool_address"),
      isIn("token_metadata", "token_address"),
    ]);
    return { isPool, isToken };
  });
}
