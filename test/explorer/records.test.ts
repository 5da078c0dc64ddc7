import { afterAll, beforeAll, describe } from "vitest";
import { blockTests } from "./block.ts";
import { poolTests } from "./pool.ts";
import { sqlTests } from "./sql.ts";
import { hasChromium, openStage, type Stage } from "./support/stage.ts";
import { transactionTests } from "./transaction.ts";
import { walletTests } from "./wallet.ts";

/** The other pages of the explorer are in explorer.test.ts: one file would take too long for one process. */
describe.skipIf(!hasChromium)("the explorer's records, in a browser over the running demo", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
  }, 300_000);

  afterAll(() => stage?.close());

  describe("the SQL console", () => sqlTests(() => stage));
  describe("the block page", () => blockTests(() => stage));
  describe("the transaction page", () => transactionTests(() => stage));
  describe("the pool page", () => poolTests(() => stage));
  describe("the wallet page", () => walletTests(() => stage));
});
