import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { poolOfKey } from "../../src/decode/swaps/singletons/uniswap-v4.ts";
import { decodeTransfer } from "../../src/decode/transfers/transfers.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { toBlock } from "../../src/sources/conversion/convert.ts";
import { verifySenders } from "../../src/sources/prover/verify-senders.ts";
import { verifyBlock } from "../../src/sources/verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../../src/sources/wire/parse.ts";
import { bundlePath, readBundleJson, readGzLines } from "../support/nodes/bundles.ts";

interface BlockCounts {
  block: number;
  hash: Hex;
  /** False if the recording lacks fields that the transactions root needs. */
  proven: boolean;
  transactions: number;
  logs: number;
  erc20: number;
  erc721: number;
  transfers_sha256: string;
}

interface Counts {
  chainId: number;
  blocks: BlockCounts[];
}

describe.each(["eth-natives", "eth-covalent", "polygon", "base", "optimism"])(
  "single blocks of %s",
  (name) => {
    const bundle = bundlePath(name);
    const { chainId, blocks } = readBundleJson<Counts>(bundle, "counts.json");
    const blockLines = readGzLines(bundle, "blocks.ndjson.gz");
    const receiptLines = readGzLines(bundle, "receipts.ndjson.gz");

    function recorded(number: number) {
      const i = blockLines.findIndex((line) => Number(JSON.parse(line).number) === number);
      const block = parseBlock(JSON.parse(blockLines[i] ?? "null"), number);
      return { block, receipts: parseReceipts(JSON.parse(receiptLines[i] ?? "[]"), number) };
    }

    it.each(blocks)(
      "verifies block $block against its header, and its senders",
      ({ block: number, hash, proven }) => {
        const { block, receipts } = recorded(number);
        expect(block.hash).toBe(hash);
        const problem = verifyBlock(block, receipts, chainId);
        if (proven) expect(problem ?? verifySenders(block, chainId)).toBeNull();
        else expect(problem?.message).toMatch(/authorization|transaction/);
      },
    );

    it.each(blocks)(
      "reads the logs and transfers of block $block as an independent decoder does",
      (expected) => {
        const { block, receipts } = recorded(expected.block);
        const { transactions } = toBlock(block, receipts, expected.proven ? "proven" : "given");
        const transfers = transactions.flatMap(({ hash, logs }) =>
          logs.flatMap((log) => {
            const transfer = decodeTransfer(log);
            return transfer === null ? [] : [{ hash, ...transfer }];
          }),
        );
        const lines = transfers.map((transfer) => {
          const { hash, logIndex, token, from, to } = transfer;
          return [
            hash,
            logIndex,
            token,
            from,
            to,
            transfer.kind === "erc20" ? transfer.value : transfer.tokenId,
          ].join();
        });
        const digest = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
        expect({
          transactions: transactions.length,
          logs: transactions.flatMap(({ logs }) => logs).length,
          erc20: transfers.filter(({ kind }) => kind === "erc20").length,
          erc721: transfers.filter(({ kind }) => kind === "erc721").length,
          transfers_sha256: digest,
        }).toEqual({
          transactions: expected.transactions,
          logs: expected.logs,
          erc20: expected.erc20,
          erc721: expected.erc721,
          transfers_sha256: expected.transfers_sha256,
        });
      },
    );
  },
);

it("accepts the keys of real Uniswap V4 pools by their ids, and no changed key", () => {
  const keys = Object.entries(readBundleJson<Record<Hex, Hex>>(bundlePath("eth-covalent"), "v4keys.json"));
  expect(keys.length).toBeGreaterThan(0);
  for (const [id, key] of keys as [Hex, Hex][]) {
    expect(poolOfKey(id, key)).not.toBeNull();
    const changed: Hex = `0x${key.slice(2, -1)}${key.endsWith("0") ? "1" : "0"}`;
    expect(poolOfKey(id, changed)).toBeNull();
  }
});
