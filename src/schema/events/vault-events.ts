import type { Hex } from "../../lib/hex.ts";
import type { RowOf } from "../tables.ts";
import { BIN_EVENTS } from "./bin-events.ts";
import { ekuboPoolOf } from "./ekubo-events.ts";

/**
 * Topics of the events of Balancer V2's Vault that report changes in its pools' balances. The first argument
 * is the pool's id, whose first 20 bytes are the pool's address:
 *
 * - PoolRegistered(bytes32 indexed poolId, address indexed poolAddress, uint8 specialization)
 * - PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, address[] tokens,
 *   int256[] deltas, uint256[] protocolFeeAmounts)
 * - Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn,
 *   uint256 amountOut)
 * - PoolBalanceManaged(bytes32 indexed poolId, address indexed assetManager, address indexed token,
 *   int256 cashDelta, int256 managedDelta)
 */
export const VAULT_EVENTS = {
  registered: "0x3c13bc30b8e878c53fd2a36b679409c073afd75950be43d8858768e956fbc20e",
  changed: "0xe5ce249087ce04f05a957192435400fd97868dba0e6a4b4c049abf8af80dae78",
  swap: "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b",
  managed: "0x6edcaf6241105b4c94c2efdbf3a6b12458eb3d07be3a0e81d24b13c44045fe7a",
} as const satisfies Record<string, Hex>;

/**
 * Topics of the events that report changes in the balances that Balancer V3's Vault holds for its pools. The
 * first argument is the pool's address. Events of the Vault:
 *
 * - PoolRegistered(address indexed pool, address indexed factory, …)
 * - LiquidityAdded(address indexed pool, address indexed liquidityProvider, uint8 indexed kind,
 *   uint256 totalSupply, uint256[] amountsAddedRaw, uint256[] swapFeeAmountsRaw)
 * - LiquidityRemoved, with the same arguments
 * - Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn,
 *   uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)
 *
 * Events of its fee controller, to which the Vault pays the fees of the protocol and of the pool's creator:
 *
 * - InitialPoolAggregateSwapFeePercentage(address indexed pool, uint256 percentage, bool isExempt), when the
 *   Vault registers a pool (since the second controller)
 * - ProtocolSwapFeeCollected(address indexed pool, address indexed token, uint256 amount)
 * - ProtocolYieldFeeCollected, with the same arguments
 */
export const VAULT_V3_EVENTS = {
  registered: "0xbc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad",
  added: "0xa26a52d8d53702bba7f137907b8e1f99ff87f6d450144270ca25e72481cca871",
  removed: "0xfbe5b0d79fb94f1e81c0a92bf86ae9d3a19e9d1bf6202c0d3e75120f65d5d8a5",
  swap: "0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db",
  feeSet: "0xa34ad86562f9716c2f1e723934cc63f44a9b4695cb8535c30dd8308d03a78564",
  swapFeeCollected: "0xae7ebad9fc3d1d17965f063fa520d393595e2ef6c8e22ae8413b60900444e19f",
  yieldFeeCollected: "0xe505e41b0d437b47350a9990142ccf38acb11ffa0e5af8f973b9e172f3d5d5e2",
} as const satisfies Record<string, Hex>;

/** ProtocolFeeControllerChanged(address indexed newProtocolFeeController) of Balancer V3's Vault */
export const FEE_CONTROLLER_CHANGED: Hex =
  "0x280a60b1e63c1774d397d35cce80eb80e51408ead755fb446e6f744ce98e5df0";

const TOPICS: ReadonlySet<Hex | null> = new Set(Object.values(VAULT_EVENTS));
const TOPICS_V3: ReadonlySet<Hex | null> = new Set(Object.values(VAULT_V3_EVENTS));
const TOPICS_BIN: ReadonlySet<Hex | null> = new Set(Object.values(BIN_EVENTS));

/**
 * Returns the pool that a log concerns if it has the form of an event of a Vault, of Ekubo's Core or of the
 * BinPoolManager; otherwise null.
 */
export function vaultPoolOf(log: Pick<RowOf<"logs">, "topic_0" | "topic_1" | "data">): Hex | null {
  const { topic_0, topic_1 } = log;
  if (topic_1 === null) return ekuboPoolOf(log);
  if (TOPICS_BIN.has(topic_0)) return topic_1;
  if (TOPICS_V3.has(topic_0)) return `0x${topic_1.slice(-40)}`;
  return TOPICS.has(topic_0) ? `0x${topic_1.slice(2, 42)}` : null;
}
