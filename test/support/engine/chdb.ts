import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { createChdbConnection } from "chdb/connection";
import { CONNECTION_SETTINGS } from "../../../src/storage/engines/transport.ts";

type Options = NonNullable<Parameters<typeof createClient>[0]>;

/** An engine in its own directory, without a store around it. */
export interface BareEngine {
  run(statement: string): Promise<void>;
  /** Returns each row as the engine's JSON text. */
  lines(query: string): Promise<string[]>;
  close(): Promise<void>;
}

export function openBareEngine(): BareEngine {
  const path = mkdtempSync(join(tmpdir(), "quarry-engine-"));
  const client = createClient({
    // The package's types do not allow `undefined` in one option. This has no effect at run time.
    connection: createChdbConnection({ path }) as unknown as NonNullable<Options["connection"]>,
    clickhouse_settings: Object.fromEntries(
      Object.entries(CONNECTION_SETTINGS).map(([name, value]) => [name, String(value)]),
    ),
  });
  return {
    async run(statement) {
      await client.command({ query: statement });
    },
    async lines(query) {
      const answer = await client.query({ query, format: "JSONEachRow" });
      return (await answer.text()).split("\n").filter(Boolean);
    },
    async close() {
      await client.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
