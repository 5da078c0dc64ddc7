import { type Abi, type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbiItem } from "viem";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { DecodedEvent, Pool } from "../../schema/swap.ts";
import { decodeBlock } from "../blocks/decode-block.ts";
import { scanBlock } from "../blocks/scan-block.ts";
import { blockOf } from "./v4-logs.ts";

/**
 * Builds a real log from its published fields, which are the event's arguments in order. Used for blocks that
 * are not recorded.
 */
export function logOf(address: Hex, event: AbiEvent, args: readonly unknown[], logIndex = 0): Log {
  const values = event.inputs.map((input, i) => ({ input, value: args[i] }));
  const indexed = values.filter(({ input }) => input.indexed);
  const plain = values.filter(({ input }) => !input.indexed);
  const topics = encodeEventTopics({
    abi: [event] as Abi,
    eventName: event.name,
    args: indexed.map(({ value }) => value),
  });
  const data = encodeAbiParameters(
    plain.map(({ input }) => input),
    plain.map(({ value }) => value),
  );
  return { address, topics: topics as Hex[], data, logIndex };
}

const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

export function transferLog(token: Hex, from: Hex, to: Hex, value: bigint, logIndex = 0): Log {
  return logOf(token, TRANSFER, [from, to, value], logIndex);
}

/** Returns the events of a transaction with these logs. */
export function eventsOf(
  logs: readonly Log[],
  chain: Chain,
  known: ReadonlyMap<Hex, Pool | null> = new Map(),
): DecodedEvent[] {
  const { transactions } = decodeBlock(scanBlock(blockOf(...logs), chain), known, chain);
  return transactions.flatMap(({ events }) => events);
}
