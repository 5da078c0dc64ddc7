import type { Rows } from "../../../src/schema/tables.ts";

/** Keys that clients can subscribe to, the busiest first. */
export interface StreamKeys {
  tokens: string[];
  pools: string[];
  traders: string[];
  wallets: string[];
}

const KINDS = {
  tokens: ["dex_trades", "token_address"],
  pools: ["dex_trades", "pool_address"],
  traders: ["dex_trades", "trader_address"],
  wallets: ["erc20", "to_address"],
} as const satisfies Record<keyof StreamKeys, [keyof Rows, string]>;

/** Counts the rows of each key. */
export class KeyCounts {
  readonly #counts = {
    tokens: new Map(),
    pools: new Map(),
    traders: new Map(),
    wallets: new Map(),
  } as Record<keyof StreamKeys, Map<string, number>>;

  /** @param from first block to count */
  count(rows: Rows, from: number): void {
    for (const [kind, [table, column]] of Object.entries(KINDS)) {
      const counts = this.#counts[kind as keyof StreamKeys];
      for (const row of (rows[table] ?? []) as readonly Record<string, unknown>[]) {
        const key = String(row[column]);
        if (Number(row.block_number) >= from) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }

  ranked(): StreamKeys {
    const ranked = (counts: Map<string, number>) =>
      [...counts].sort(([, a], [, b]) => b - a).map(([key]) => key);
    const { tokens, pools, traders, wallets } = this.#counts;
    return {
      tokens: ranked(tokens),
      pools: ranked(pools),
      traders: ranked(traders),
      wallets: ranked(wallets),
    };
  }
}
