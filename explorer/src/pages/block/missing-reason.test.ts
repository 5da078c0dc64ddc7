import { expect, it } from "vitest";
import { missingBlockReason } from "./missing-reason.ts";

it("tells apart why a block is not there", () => {
  const status = { first_block: 100, indexed_block: 200, head_block: 210, rollbacks: { count: 1 } };
  expect(missingBlockReason(status, 99)).toMatch(/^This index begins at block 100/);
  expect(missingBlockReason(status, 150)).toMatch(/^The index has no such block/);
  expect(missingBlockReason(status, 205)).toMatch(/^Not indexed yet\. .*a reorg took it back\.$/);
  expect(missingBlockReason({ ...status, rollbacks: null }, 211)).toMatch(
    /^Beyond the newest block\. .*it is there\.$/,
  );
  expect(missingBlockReason({ ...status, indexed_block: null }, 5)).toMatch(/^No block is indexed yet/);
});
