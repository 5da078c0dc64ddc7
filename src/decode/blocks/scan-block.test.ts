import { parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedLogs } from "../../../test/support/nodes/recording.ts";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { hasForm } from "../families/swap-family.ts";
import { POOL_EVENTS } from "../pools/swap-families.ts";
import { logOf, transferLog } from "../support/published-logs.ts";
import { blockOf, ID, initialize, SWAP, ZERO } from "../support/v4-logs.ts";
import { type ScannedBlock, scanBlock } from "./scan-block.ts";

function countKinds(blocks: readonly ScannedBlock[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { transactions } of blocks) {
    for (const { kind } of transactions.flatMap(({ logs }) => logs)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

describe("scanBlock", () => {
  it("classifies a creation and a pool event, and leaves out a log of an unlisted singleton", () => {
    const scanned = scanBlock(blockOf(initialize(ID, 500), SWAP, { ...SWAP, address: ZERO }), ethereum);
    const [transaction] = scanned.transactions;
    expect(transaction?.logs).toMatchObject([
      { kind: "pool-creation", pool: { address: ID, createdBlock: 9, createdTimestamp: 90 } },
      { kind: "pool-log", family: "uniswap-v4", poolId: ID },
    ]);
    expect(scanned.singletonLogs.map(({ topics }) => topics[1])).toEqual([ID, ID]);
  });

  it("leaves out an event in another form, but not from the logs of the singleton", () => {
    const scanned = scanBlock(blockOf({ ...SWAP, data: "0x" }), ethereum);
    expect(scanned.transactions[0]?.logs).toEqual([]);
    expect(scanned.singletonLogs).toHaveLength(1);
  });

  it("classifies the logs of real blocks", () => {
    const scanned = recordedBlocks(MAINNET).map((block) => scanBlock(block, ethereum));
    const hasPoolEvent = (log: Log) => {
      const found = POOL_EVENTS.get(log.topics[0] ?? "0x") ?? [];
      return found.some(({ event }) => hasForm(log, event));
    };
    const { events, createdPools, transactions: count } = bundleCounts(MAINNET);
    expect(countKinds(scanned)).toEqual({
      erc20: events["erc20 Transfer"],
      erc721: events["erc721 Transfer"],
      "pool-creation": createdPools.length,
      "pool-log": recordedLogs(MAINNET).filter(hasPoolEvent).length,
    });
    expect(scanned.flatMap(({ transactions }) => transactions)).toHaveLength(count);
  });

  describe("wraps and unwraps", () => {
    const { wrappedNative: coin } = ethereum;
    const wallet: Hex = `0x${"a1".repeat(20)}`;
    const deposit = logOf(coin, parseAbiItem("event Deposit(address indexed dst, uint256 wad)"), [
      wallet,
      5n,
    ]);
    const event = parseAbiItem("event Withdrawal(address indexed src, uint256 wad)");
    const withdrawal = logOf(coin, event, [wallet, 5n]);
    const amounts = (...logs: Log[]) =>
      scanBlock(blockOf(...logs), ethereum).transactions[0]?.wrappings.map(({ amount }) => amount);
    const minted = transferLog(coin, ZERO, wallet, 5n);
    const burned = transferLog(coin, wallet, ZERO, 5n);

    it("do not count if a Transfer reports them", () => {
      expect(amounts(deposit, minted, withdrawal, burned)).toEqual([]);
    });

    it("count unless a Transfer of their own reports them", () => {
      expect(amounts(withdrawal, withdrawal, burned, withdrawal, deposit)).toEqual([-5n, -5n, 5n]);
      expect(amounts(deposit, minted, deposit, withdrawal)).toEqual([5n, -5n]);
    });

    it("count if the Transfer has another wallet, amount or coin", () => {
      const others = [
        transferLog(coin, wallet, ZERO, 6n),
        transferLog(coin, coin, ZERO, 5n),
        transferLog(wallet, wallet, ZERO, 5n),
      ];
      expect(amounts(withdrawal, ...others)).toEqual([-5n]);
    });
  });
});
