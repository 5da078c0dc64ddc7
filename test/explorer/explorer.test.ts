import { afterAll, beforeAll, describe } from "vitest";
import { blockTests } from "./block.ts";
import { homeTests } from "./home.ts";
import { poolTests } from "./pool.ts";
import { searchTests } from "./search.ts";
import { shellTests } from "./shell.ts";
import { sqlTests } from "./sql.ts";
import { hasChromium, openStage, type Stage } from "./stage.ts";
import { tokenTests } from "./token.ts";
import { transactionTests } from "./transaction.ts";
import { walletTests } from "./wallet.ts";

// Chromium is the only thing that the tests want and npm does not bring: without it they are skipped.
describe.skipIf(!hasChromium)("the explorer, in a browser over the running demo", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
  }, 300_000);

  afterAll(() => stage?.close());

  describe("every page", () => shellTests(() => stage));
  describe("the page of a token", () => tokenTests(() => stage));
  describe("the first page", () => homeTests(() => stage));
  describe("the search", () => searchTests(() => stage));
  describe("the SQL console", () => sqlTests(() => stage));
  describe("a block", () => blockTests(() => stage));
  describe("a transaction", () => transactionTests(() => stage));
  describe("the page of a pool", () => poolTests(() => stage));
  describe("the page of a wallet", () => walletTests(() => stage));
});
