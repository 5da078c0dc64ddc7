import type { Hex } from "../../lib/hex.ts";
import { UnknownFormat } from "./unknown-format.ts";

/** Blob parameters that apply from a fork on (EIP-7840). */
interface BlobFork {
  /** Time from which the fork is active, in Unix seconds. */
  since: number;
  /** Target number of blobs per block. */
  target: number;
  max: number;
  updateFraction: number;
  /** True since Osaka: blobs have a minimum price, which depends on the base fee (EIP-7918). */
  hasReservePrice: boolean;
}

const fork = (
  since: number,
  [target, max, updateFraction]: readonly [number, number, number],
  osaka = true,
) => ({
  ...{ since, target, max, updateFraction },
  hasReservePrice: osaka,
});
const CANCUN = [3, 6, 3_338_477] as const;
const PRAGUE = [6, 9, 5_007_716] as const;
const BPO1 = [10, 15, 8_346_193] as const;
const BPO2 = [14, 21, 11_684_671] as const;

/** Forks by chain id, in chronological order. The times come from params/config.go of go-ethereum. */
const SCHEDULES = new Map<number, readonly BlobFork[]>([
  [
    1,
    [
      fork(1_710_338_135, CANCUN, false),
      fork(1_746_612_311, PRAGUE, false),
      fork(1_764_798_551, PRAGUE),
      fork(1_765_290_071, BPO1),
      fork(1_767_747_671, BPO2),
    ],
  ],
]);

const GAS_PER_BLOB = 2n ** 17n;
/** EIP-7918: a blob costs at least as much as this amount of execution gas. */
const BLOB_BASE_COST = 2n ** 13n;

type Fields = ReadonlyMap<string, Hex>;

/**
 * Returns the price of blob gas in a block, computed from the block's header.
 *
 * @throws UnknownFormat if this version does not know the blob parameters of the chain
 */
export function blobGasPrice(header: Fields, chainId: number): bigint {
  return priceOf(quantity(header, "excessBlobGas"), forkAt(header, chainId));
}

/**
 * Returns whether a header's excess blob gas follows from its parent under the parameters that this version
 * knows. Returns true for a header without blob gas, or if no parameters of the chain are known. Without this
 * check, an unknown fork could change the price of blobs unnoticed.
 */
export function followsSchedule(parent: Fields, header: Fields, chainId: number): boolean {
  if (!header.has("excessBlobGas") || !SCHEDULES.has(chainId)) return true;
  return quantity(header, "excessBlobGas") === excessAfter(parent, forkAt(header, chainId));
}

function excessAfter(parent: Fields, { target, max, ...blobs }: BlobFork): bigint {
  const excess = quantity(parent, "excessBlobGas");
  const used = quantity(parent, "blobGasUsed");
  const targetGas = BigInt(target) * GAS_PER_BLOB;
  if (excess + used < targetGas) return 0n;
  const reserve = BLOB_BASE_COST * quantity(parent, "baseFeePerGas");
  if (blobs.hasReservePrice && reserve > GAS_PER_BLOB * priceOf(excess, blobs)) {
    return excess + (used * BigInt(max - target)) / BigInt(max);
  }
  return excess + used - targetGas;
}

/**
 * Returns the price of blob gas: the exponential function of EIP-4844, computed as a sum of integer terms.
 */
function priceOf(excess: bigint, { updateFraction }: Pick<BlobFork, "updateFraction">): bigint {
  const denominator = BigInt(updateFraction);
  let sum = 0n;
  let term = denominator;
  for (let i = 1n; term > 0n; i++) {
    sum += term;
    term = (term * excess) / (denominator * i);
  }
  return sum / denominator;
}

function forkAt(header: Fields, chainId: number): BlobFork {
  const time = Number(header.get("timestamp"));
  const found = SCHEDULES.get(chainId)?.findLast(({ since }) => since <= time);
  if (found === undefined) throw new UnknownFormat(`blobs on the chain with id ${chainId}`);
  return found;
}

function quantity(header: Fields, name: string): bigint {
  return BigInt(header.get(name) ?? "0x0");
}
