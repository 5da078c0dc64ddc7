import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { addressOf, addressWord, intAt, uintAt, wordAt } from "../../abi/abi.ts";
import { announcedPair } from "../../families/announced-pair.ts";
import type { AnnouncedPool, CallResults, SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { factoryPools } from "../../proofs/factory-pools.ts";
import { listedPools } from "../../proofs/listed-pools.ts";

/** getImmutables() of a pool. The result starts with the factory and the two tokens. */
const IMMUTABLES: Hex = "0xbcdb4dad";
/** isPool(address) of a factory */
const IS_POOL: Hex = "0x5b16ebb7";
/** Minimum number of words of `PoolCreated`: the head, and the lengths of its three arrays. */
const CREATION_WORDS = 26;
const INT128_BITS = 128;

/**
 * Metric: pools of two tokens, whose prices come from a contract that the pool's creator chooses. Anyone can
 * create a pool. A pool holds its own tokens. The amounts in its events are those that entered and left the
 * pool, so they include all fees.
 *
 * The factories deploy pools by CREATE2, with creation code that contains all of the pool's parameters and
 * that is not published. Therefore an address proves nothing.
 *
 * Sources: Metricxyz/ever-created-pools (factories.jsonc and the compiled ABIs); the contracts as audited by
 * Sherlock in July 2026 (MetricOmmPool.sol, MetricOmmPoolFactory.sol, MetricOmmPoolDeployer.sol);
 * duneanalytics/spellbook, metric_compatible_trades.sql, which was compared with the transfers of 215,000
 * swaps; DefiLlama/dimension-adapters (dexs/metric, dexs/metric-v1).
 */
export const metric: SwapFamily = {
  family: "metric",
  events: [
    {
      // Version 1: Swap(address indexed sender, address indexed recipient, bool exactInput,
      //   int256 amount0Delta, int256 amount1Delta, int8 newTick, uint104 newPositionInBin,
      //   uint256 protocolFeeAmount)
      topic: "0x87d25816ca01843f551b4caa5eea03b5173c84c383573c63081fb7575378276e",
      topics: 3,
      words: 6,
      read: (log, pool) => swapOf(log, pool, intAt(log.data, 1), intAt(log.data, 2)),
    },
    {
      // Version 2: Swap(address indexed sender, address indexed recipient, uint256 details,
      //   uint256 amountDeltas, uint256 platformFees)
      topic: "0x9734819749a91fc3be03ea83205f924ee08479bd3f0da48efc91d94d050cac1e",
      topics: 3,
      words: 3,
      read: (log, pool) => swapOf(log, pool, ...deltasIn(uintAt(log.data, 1))),
    },
  ],
  creations: [
    {
      // PoolCreated(address indexed poolAddress, address indexed token0, address indexed token1,
      //   uint256 poolIdx, address factory, address admin, address priceProvider, address[] extensions,
      //   (uint256,uint256,uint256,uint256,uint256,uint256) extensionOrders, uint256 priceProviderTimelock,
      //   uint256 initialScaledAmount0PerE18Shares, uint256 initialScaledAmount1PerE18Shares,
      //   uint256 minimalOperationalLiquidity, uint24 spreadProtocolFeeE6, uint24 protocolNotionalFeeE8,
      //   uint24 adminSpreadFeeE6, uint24 adminNotionalFeeE8, address adminFeeDestination,
      //   int24 curBinDistFromProvidedPriceE6, uint256[] nonNegativeBinDataArray,
      //   uint256[] negativeBinDataArray)
      topic: "0x4b36a0ddce54edb36597ee7d496df06c53fe875aba9d7257534a38d5177899aa",
      topics: 4,
      words: CREATION_WORDS,
      hasArrays: true,
      read: readCreation,
    },
  ],
  proof: factoryPools({
    family: "metric",
    termsCalls: (to) => [{ to, data: IMMUTABLES }],
    readTerms: ([immutables]: CallResults) => {
      const token0 = addressOf(wordAt(immutables ?? "0x", 1));
      const token1 = addressOf(wordAt(immutables ?? "0x", 2));
      return token0 && token1 && { token0, token1, fee: null };
    },
    // Only listed pools need this, and no pools are listed.
    termsOf: () => null,
    confirmation: (address, to) => ({ to, data: `${IS_POOL}${addressWord(address)}` }),
  }),
};

/**
 * The first version of Metric. Its factory has no function that confirms a pool, so only the factory's event
 * proves one.
 */
export const metricV0: SwapFamily = {
  family: "metric-v0",
  events: [
    {
      // Swap(address sender, address recipient, bool exactInput, int128 amount0Delta, int128 amount1Delta,
      //   int16 newTick, uint104 newPositionInBin)
      topic: "0xcd8b75a7fb6cb82ab3acded68ac53af5c43d19b51a91b9d5640bb73622dbdf57",
      topics: 1,
      words: 7,
      read: (log, pool) => swapOf(log, pool, intAt(log.data, 3), intAt(log.data, 4)),
    },
  ],
  creations: [
    {
      // PoolCreated(address indexed token0, address indexed token1, address indexed priceProvider,
      //   address pool, bytes32 poolKey)
      topic: "0xe1c304acd9cda85cdced26da15edf3fd1a07d96caf4f9cedb068823618b93d4d",
      topics: 4,
      words: 2,
      read: (log) => announcedPair(log, 0, null),
    },
  ],
  proof: listedPools("metric-v0"),
};

/** Reads the two amounts in a word: that of token0 in the upper half, that of token1 in the lower one. */
function deltasIn(word: bigint): [bigint, bigint] {
  return [BigInt.asIntN(INT128_BITS, word >> BigInt(INT128_BITS)), BigInt.asIntN(INT128_BITS, word)];
}

function readCreation({ topics }: Log): AnnouncedPool | null {
  const address = addressOf(topics[1]);
  const token0 = addressOf(topics[2]);
  const token1 = addressOf(topics[3]);
  return address && token0 && token1 && { address, token0, token1, fee: null };
}
