import { afterAll, beforeAll, describe } from "vitest";
import { homeTests } from "./home/home.ts";
import { searchTests } from "./search.ts";
import { shellTests } from "./shell.ts";
import { hasChromium, openStage, type Stage } from "./support/stage.ts";
import { tokenTests } from "./token.ts";

// npm does not install Chromium. Without it, the tests are skipped.
describe.skipIf(!hasChromium)("the explorer, in a browser over the running demo", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
  }, 300_000);

  afterAll(() => stage?.close());

  describe("every page", () => shellTests(() => stage));
  describe("the token page", () => tokenTests(() => stage));
  describe("the home page", () => homeTests(() => stage));
  describe("the search", () => searchTests(() => stage));
});
