import { expect, it } from "vitest";
import { ETH } from "../../../reads/support/market.ts";
import type { Commit, Engine } from "../../../storage/store.ts";
import { createServer } from "../../http/server.ts";

const COMMIT: Commit = {
  sequence: 1,
  firstBlock: 10,
  blockNumber: 12,
  blockHash: "0x01",
  timestamp: 1_700_000_000,
  finalized: null,
  committedAt: 1_700_000_001,
};

it("shares a read of the commits between requests, because they wait in no queue", async () => {
  let reads = 0;
  const store = {
    chain: ETH.name,
    async committed() {
      reads++;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return COMMIT;
    },
  };
  const app = await createServer({ engine: {} as Engine, chains: [{ chain: ETH, store }] });
  const ask = async () => (await app.inject("/ready")).statusCode;
  const statuses = await Promise.all(Array.from({ length: 30 }, ask));
  expect([new Set(statuses), reads < 5]).toEqual([new Set([200]), true]);
  const before = reads;
  expect([await ask(), reads]).toEqual([200, before + 1]);
  await app.close();
});
