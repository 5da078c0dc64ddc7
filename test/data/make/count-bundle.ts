import type { BundleCounts } from "../../support/nodes/bundles.ts";
import { type CountedLog, countByEvent, countedLogs, isPoolEvent, type RecordedLog } from "./count-events.ts";
import { protocolsByAddress } from "./count-pools.ts";
import { readGzLines, readJson } from "./recorded-lines.ts";

const TOKEN0 = "0x0dfe1681";
const TOKEN1 = "0xd21220a7";

interface RecordedReceipt {
  status: string;
  logs: RecordedLog[];
}

/** Counts the contents of a bundle. Uses only viem, not Quarry's decoder. */
export function countBundle(folder: string): BundleCounts {
  const blocks = readGzLines(folder, "blocks.ndjson.gz").map(
    (line) => JSON.parse(line) as { number: string; timestamp: string; transactions: unknown[] },
  );
  const receipts = readGzLines(folder, "receipts.ndjson.gz").flatMap(
    (line) => JSON.parse(line) as RecordedReceipt[],
  );
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const counted = countedLogs(logs);
  return {
    first: Number(blocks[0]?.number),
    last: Number(blocks.at(-1)?.number),
    blocks: blocks.length,
    transactions: blocks.reduce((sum, { transactions }) => sum + transactions.length, 0),
    minutes: minuteOf(blocks.at(-1)) - minuteOf(blocks[0]) + 1,
    failed: receipts.filter(({ status }) => status === "0x0").length,
    logs: logs.length,
    events: countByEvent(counted),
    ...countPools(counted, readJson(folder, "calls.json")),
  };
}

function minuteOf(block: { timestamp: string } | undefined): number {
  return Math.floor(Number(block?.timestamp) / 60);
}

type PoolCounts = Pick<
  BundleCounts,
  "pools" | "answeringPools" | "createdPools" | "genuineEvents" | "swapsByProtocol"
>;

function countPools(
  counted: readonly CountedLog[],
  calls: Record<string, Record<string, string>>,
): PoolCounts {
  const answered = (address: string) =>
    [calls[address]?.[TOKEN0], calls[address]?.[TOKEN1]].flatMap(addressIn);
  const created = new Map(
    counted.filter(({ event }) => event === "v2 PairCreated").map(({ log }) => [pairOf(log), log.topics]),
  );
  const poolLogs = counted.filter(isPoolEvent);
  const emitters = new Set(poolLogs.map(({ log }) => log.address));
  const protocols = protocolsByAddress(new Set([...emitters, ...created.keys()]), counted, (address) => [
    ...answered(address),
    ...(created.get(address)?.slice(1).flatMap(addressIn) ?? []),
  ]);
  const createdPools = [...created.keys()].filter((address) => protocols.has(address));
  const genuine = poolLogs.filter(({ log }) => protocols.has(log.address));
  const swapsByProtocol: Record<string, number> = {};
  for (const { event, log } of genuine) {
    const protocol = protocols.get(log.address) ?? "";
    if (event.endsWith("Swap")) swapsByProtocol[protocol] = (swapsByProtocol[protocol] ?? 0) + 1;
  }
  return {
    pools: protocols.size,
    answeringPools: [...protocols.keys()].filter(
      (address) => answered(address).length === 2 && !created.has(address),
    ).length,
    createdPools,
    genuineEvents: countByEvent(genuine),
    swapsByProtocol,
  };
}

/** Returns the address in the low 20 bytes of a word. */
function addressIn(word: string | undefined): string[] {
  return word === undefined ? [] : [`0x${word.slice(26)}`];
}

/** Returns the pair from the first data word of a PairCreated log. */
function pairOf({ data }: RecordedLog): string {
  return `0x${data.slice(26, 66)}`;
}
