import { decodeEventLog, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedLogs } from "../../../test/support/nodes/recording.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { decodeTransfer, TRANSFER_TOPIC } from "./transfers.ts";

const ERC20 = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const ERC721 = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
]);

describe("transfers on real logs", () => {
  const logs = recordedLogs(MAINNET);
  const transfers = logs.map((log) => ({ log, transfer: decodeTransfer(log) }));

  it("finds all", () => {
    const { events } = bundleCounts(MAINNET);
    const kinds = transfers.map(({ transfer }) => transfer?.kind);
    expect(kinds.filter((kind) => kind === "erc20")).toHaveLength(events["erc20 Transfer"]!);
    expect(kinds.filter((kind) => kind === "erc721")).toHaveLength(events["erc721 Transfer"]!);
  });

  it("reads each as an independent decoder does", () => {
    for (const { log, transfer } of transfers) {
      if (transfer === null) continue;
      const abi = transfer.kind === "erc20" ? ERC20 : ERC721;
      const { args } = decodeEventLog({
        abi: [...abi],
        data: log.data,
        topics: log.topics as [Hex, Hex, Hex, Hex],
      });
      const { kind, logIndex, token, from, to, ...amount } = transfer;
      expect({ from, to, ...amount }).toEqual({
        ...args,
        from: args.from.toLowerCase(),
        to: args.to.toLowerCase(),
      });
      expect({ logIndex, token }).toEqual({ logIndex: log.logIndex, token: log.address });
    }
  });
});

describe("decodeTransfer", () => {
  const word = (hex: string): Hex => `0x${hex.padStart(64, "0")}`;
  const log: Log = {
    address: "0xdac17f958d2ee523a2206206994597c13d831ec7",
    topics: [TRANSFER_TOPIC, word("a1"), word("b2")],
    data: word("05"),
    logIndex: 7,
  };
  const erc721: Log = { ...log, topics: [...log.topics, word("09")], data: "0x" };

  it("ignores data that a token appends to the value", () => {
    expect(decodeTransfer({ ...log, data: `${log.data}ffff` })).toMatchObject({ kind: "erc20", value: 5n });
  });

  it("reads a token id", () => {
    expect(decodeTransfer(erc721)).toEqual({
      kind: "erc721",
      logIndex: 7,
      token: log.address,
      from: `0x${"a1".padStart(40, "0")}`,
      to: `0x${"b2".padStart(40, "0")}`,
      tokenId: 9n,
    });
  });

  it.each<[string, Log]>([
    ["no data", { ...log, data: "0x" }],
    ["data shorter than a word", { ...log, data: `0x${"00".repeat(31)}` }],
    ["one indexed argument", { ...log, topics: log.topics.slice(0, 2) }],
    ["no indexed argument", { ...log, topics: log.topics.slice(0, 1), data: `0x${"00".repeat(96)}` }],
    ["five topics", { ...erc721, topics: [...erc721.topics, word("00")] }],
    ["a dirty sender", { ...log, topics: [TRANSFER_TOPIC, word(`1${"0".repeat(40)}`), word("b2")] }],
    ["a dirty receiver", { ...log, topics: [TRANSFER_TOPIC, word("a1"), `0x${"ff".repeat(32)}`] }],
    ["a broken topic", { ...log, topics: [TRANSFER_TOPIC, "0x", word("b2")] }],
    ["another event", { ...log, topics: [word("01"), word("a1"), word("b2")] }],
    ["no topic", { ...log, topics: [] }],
  ])("is nothing with %s", (_, broken) => {
    expect(decodeTransfer(broken)).toBeNull();
  });
});
