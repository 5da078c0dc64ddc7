import { expect, it } from "vitest";
import { reasonOf } from "./missing-reason.ts";

it("tells apart why a block is not there", () => {
  const status = { first_block: 100, indexed_block: 200, head_block: 210, rollbacks: { count: 1 } };
  expect(reasonOf(status, 99)).toMatch(/^This index begins at block 100/);
  expect(reasonOf(status, 150)).toMatch(/^The index has no such block/);
  expect(reasonOf(status, 205)).toMatch(/^Not indexed yet\. .*a reorg took it back\.$/);
  expect(reasonOf({ ...status, rollbacks: null }, 211)).toMatch(
    /^Beyond the newest block\. .*it is there\.$/,
  );
  expect(reasonOf({ ...status, indexed_block: null }, 5)).toMatch(/^No block is indexed yet/);
});
