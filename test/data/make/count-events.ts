import { decodeEventLog, parseAbi, toEventSelector } from "viem";

type Hex = `0x${string}`;

export interface RecordedLog {
  address: string;
  topics: Hex[];
  data: Hex;
}

/** A log, and the event that viem decodes from it. */
export interface CountedLog {
  event: string;
  log: RecordedLog;
}

const POOL_EVENTS = {
  "v2 Swap":
    "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "v2 Sync": "event Sync(uint112 reserve0, uint112 reserve1)",
  "v2 Mint": "event Mint(address indexed sender, uint256 amount0, uint256 amount1)",
  "v2 Burn": "event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)",
  "v3 Swap":
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "pancakeswap v3 Swap":
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)",
  "v3 Mint":
    "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "v3 Burn":
    "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "v3 Collect":
    "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
} as const;

const OTHER_EVENTS = {
  "v2 PairCreated":
    "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 number)",
  "erc20 Transfer": "event Transfer(address indexed from, address indexed to, uint256 value)",
  "erc721 Transfer": "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
} as const;

const EVENTS = Object.entries({ ...POOL_EVENTS, ...OTHER_EVENTS }).map(([event, signature]) => {
  const abi = parseAbi([signature]);
  return { event, abi, topic: toEventSelector(signature) };
});

/** Selects the logs of the events above. */
export function countedLogs(logs: readonly RecordedLog[]): CountedLog[] {
  return logs.flatMap((log) => {
    const found = EVENTS.find(({ abi, topic }) => topic === log.topics[0] && isReadable(abi, log));
    return found === undefined ? [] : [{ event: found.event, log }];
  });
}

export function isPoolEvent({ event }: CountedLog): boolean {
  return event in POOL_EVENTS;
}

/** Counts the logs of each event, including events without logs. */
export function countByEvent(logs: readonly CountedLog[]): Record<string, number> {
  const counts = Object.fromEntries(EVENTS.map(({ event }) => [event, 0]));
  for (const { event } of logs) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
}

function isReadable(abi: ReturnType<typeof parseAbi>, { topics, data }: RecordedLog): boolean {
  try {
    decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data, strict: true });
    return true;
  } catch {
    return false;
  }
}
