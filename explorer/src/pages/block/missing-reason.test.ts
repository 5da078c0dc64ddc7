import { expect, it } from "vitest";
import { missingBlockReason } from "./missing-reason.ts";

it("explains why a block is missing", () => {
  const status = { first_block: 100, indexed_block: 200, head_block: 210, rollbacks: { count: 1 } };
  expect(missingBlockReason(status, 99)).toMatch(/^The index starts at block 100/);
  expect(missingBlockReason(status, 150)).toMatch(/^This block is missing from the index/);
  expect(missingBlockReason(status, 205)).toMatch(/^Not indexed yet\. .*a reorg removed it\.$/);
  expect(missingBlockReason({ ...status, rollbacks: null }, 211)).toMatch(
    /^Beyond the latest block\. .*is indexed\.$/,
  );
  expect(missingBlockReason({ ...status, indexed_block: null }, 5)).toMatch(/^No block is indexed yet/);
});
