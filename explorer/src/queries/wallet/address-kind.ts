import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";

/** Whether an address is also a pool or a token. */
export interface AddressKind {
  isPool: boolean;
  isToken: boolean;
}

/** Reads whether an address is a pool or a token. */
export function addressKindQuery(chain: string, address: string) {
  return liveQuery(["address kind", chain, address], async (signal): Promise<AddressKind> => {
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
