import { describe, expect, it } from "vitest";
import { MAINNET, readGzLines } from "../../../test/support/nodes/bundles.ts";
import type { Block } from "../../schema/block.ts";
import { proveRaw } from "./prove-raw.ts";

interface Receipt {
  status?: string;
  contractAddress: string | null;
}

const blocks = readGzLines(MAINNET, "blocks.ndjson.gz").map((line) => JSON.parse(line));
const receiptsOf = () =>
  readGzLines(MAINNET, "receipts.ndjson.gz").map((line): Receipt[] => JSON.parse(line));

function proven(receipts: Receipt[][], verify = true): (0 | 1 | null)[] {
  return blocks.flatMap((block, i) => {
    const raw = { number: Number(block.number), block, receipts: receipts[i] };
    const result = proveRaw(raw, { chainId: 1, verify, senders: true });
    if (!("block" in result)) throw new Error(result.message);
    return (result.block as Block).transactions.map(({ status }) => status);
  });
}

describe("a receipt without status", () => {
  const whole = proven(receiptsOf());
  const without = receiptsOf();
  for (const receipt of without.flat()) if (receipt.status === "0x0") delete receipt.status;

  it("is that of a failed transaction in a proven block", () => {
    expect(whole.filter((status) => status === 0).length).toBeGreaterThan(3);
    expect(proven(without)).toEqual(whole);
  });

  it("has no status in a block that is not verified", () => {
    expect(proven(without, false)).toEqual(whole.map((status) => (status === 0 ? null : status)));
  });

  it("does not match the receipts root if the transaction succeeded", () => {
    const receipts = receiptsOf();
    for (const receipt of receipts.flat()) if (receipt.status === "0x1") delete receipt.status;
    expect(() => proven(receipts)).toThrow("receipts root");
  });
});
