import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Abi, encodeAbiParameters, encodeDeployData, encodeFunctionData } from "viem";
import { MINTER } from "../../../devnet/market/wallets.ts";
import { encodeCall, keccak } from "../../../devnet/node/call-data.ts";
import { genesis } from "../../../devnet/node/genesis.ts";
import { CHAIN_ID } from "../../../devnet/node/node-process.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { caller } from "../nodes/local-node.ts";
import { ROOT, startProcess, temporaryFolder } from "../processes/processes.ts";

export const NATIVE_COIN: Hex = `0x${"0".repeat(40)}`;
const START_TIME = 1_700_000_000;
const BLOCK_SECONDS = 12;
const HOARD = 10n ** 30n;
const MAX_UINT256 = 2n ** 256n - 1n;

/** The key of a pool. Its currencies are in ascending order. */
export interface V4Key {
  currency0: Hex;
  currency1: Hex;
  fee: number;
  tickSpacing: number;
  hooks: Hex;
}

export interface V4Range {
  tickLower: number;
  tickUpper: number;
  liquidity: bigint;
}

/**
 * The direction of a swap and its exact amount: negative if it is the input, positive if it is the output.
 */
export interface V4Swap {
  zeroForOne: boolean;
  amount: bigint;
  /** True if the swap pays out claims on the PoolManager instead of tokens. */
  takeClaims?: boolean;
}

/** Addresses of the package's contracts: a PoolManager, and routers that call it for their callers. */
interface Exchange {
  manager: Hex;
  swapper: Hex;
  provider: Hex;
}

/** A node with the real Uniswap V4 contracts. The test makes every block. */
export interface V4Node {
  url: string;
  trader: Hex;
  /** The chain's exchange, and a second one with the same code. */
  exchange: Exchange;
  fake: Exchange;
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Sends a transaction and mines a block with it. Throws if the transaction fails. */
  send(to: Hex | null, data: Hex, value?: bigint): Promise<{ block: number; timestamp: number; hash: Hex }>;
  /** Sends a transaction that will be the first of the next block. */
  queue(to: Hex, data: Hex): Promise<unknown>;
  /** Returns the result of a contract call at the newest block. */
  read(to: Hex, data: Hex): Promise<Hex>;
  deploy(contract: string, ...args: unknown[]): Promise<Hex>;
  /** Deploys a contract and copies its code to another address. */
  deployAt(address: Hex, contract: string, ...args: unknown[]): Promise<void>;
  stop(): Promise<unknown>;
}

const MIN_SQRT_PRICE = 4295128739n;
const MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342n;

export function keyOf(
  one: Hex,
  other: Hex,
  { fee, tickSpacing, hooks = NATIVE_COIN }: { fee: number; tickSpacing: number; hooks?: Hex },
): V4Key {
  const [currency0, currency1] = [one, other].sort() as [Hex, Hex];
  return { currency0, currency1, fee, tickSpacing, hooks };
}

export function poolIdOf({ currency0, currency1, fee, tickSpacing, hooks }: V4Key): Hex {
  const types = ["address", "address", "uint24", "int24", "address"].map((type) => ({ type }));
  return keccak(encodeAbiParameters(types, [currency0, currency1, fee, tickSpacing, hooks]));
}

const artifactOf = (name: string): { abi: Abi; bytecode: { object: Hex } } =>
  JSON.parse(
    readFileSync(
      createRequire(import.meta.url).resolve(`@uniswap/v4-core/out/${name}.sol/${name}.json`),
      "utf8",
    ),
  );

const call = (contract: string, functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: artifactOf(contract).abi, functionName, args });

/** Returns the square root of a price in Q64.96, with the precision of a double. */
export function sqrtPriceOf(price: number): bigint {
  return (BigInt(Math.round(Math.sqrt(price) * 2 ** 52)) * 2n ** 96n) / 2n ** 52n;
}

export function initializing(key: V4Key, sqrtPrice: bigint): Hex {
  return call("PoolManager", "initialize", [key, sqrtPrice]);
}

export function providing(key: V4Key, { tickLower, tickUpper, liquidity }: V4Range): Hex {
  const salt: Hex = `0x${"0".repeat(64)}`;
  const params = { tickLower, tickUpper, liquidityDelta: liquidity, salt };
  return call("PoolModifyLiquidityTest", "modifyLiquidity", [key, params, "0x"]);
}

export function swapping(key: V4Key, { zeroForOne, amount, takeClaims = false }: V4Swap): Hex {
  const sqrtPriceLimitX96 = zeroForOne ? MIN_SQRT_PRICE + 1n : MAX_SQRT_PRICE - 1n;
  const params = { zeroForOne, amountSpecified: amount, sqrtPriceLimitX96 };
  const settings = { takeClaims, settleUsingBurn: false };
  return call("PoolSwapTest", "swap", [key, params, settings, "0x"]);
}

export async function startV4Node(tokens: readonly Hex[]): Promise<V4Node> {
  const folder = temporaryFolder();
  const file = join(folder.path, "genesis.json");
  writeFileSync(file, JSON.stringify(genesis(MINTER, START_TIME)));
  const running = startProcess(join(ROOT, "node_modules/.bin/anvil"), [
    ...["--port", "0", "--chain-id", `${CHAIN_ID}`, "--hardfork", "cancun", "--init", file],
    ...["--balance", "400000", "--no-mining", "--timestamp", `${START_TIME}`],
  ]);
  const [, address] = await running.printed(/Listening on (\S+)/);
  folder.remove();
  const url = `http://${address}`;
  try {
    const node = driver(url, () => running.stop());
    const exchanges = [await deployExchange(node), await deployExchange(node)] as const;
    for (const token of tokens) {
      await node.send(token, encodeCall("mint(address[],uint256)", [MINTER], HOARD));
      for (const { swapper, provider } of exchanges) {
        for (const spender of [swapper, provider])
          await node.send(token, encodeCall("approve(address,uint256)", spender, MAX_UINT256));
      }
    }
    return { ...node, exchange: exchanges[0], fake: exchanges[1] };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

type Driver = Omit<V4Node, "exchange" | "fake">;

function driver(url: string, stop: () => Promise<unknown>): Driver {
  const rpc = caller(url);
  const send = async (to: Hex | null, data: Hex, value = 0n) => {
    const transaction = { from: MINTER, gas: "0x1000000", value: `0x${value.toString(16)}`, data };
    const hash = await rpc<Hex>("eth_sendTransaction", to === null ? transaction : { ...transaction, to });
    const { timestamp } = await rpc<{ timestamp: Hex }>("eth_getBlockByNumber", "latest", false);
    await rpc("evm_mine", Number(timestamp) + BLOCK_SECONDS);
    const receipt = await rpc<{ status: Hex; blockNumber: Hex; contractAddress: Hex | null }>(
      "eth_getTransactionReceipt",
      hash,
    );
    if (receipt.status !== "0x1") throw new Error(`transaction ${hash} failed`);
    const block = { block: Number(receipt.blockNumber), timestamp: Number(timestamp) + BLOCK_SECONDS };
    return { ...block, hash, contractAddress: receipt.contractAddress };
  };
  const deploy = async (contract: string, ...args: unknown[]) => {
    const { abi, bytecode } = artifactOf(contract);
    const { contractAddress } = await send(null, encodeDeployData({ abi, bytecode: bytecode.object, args }));
    if (contractAddress === null) throw new Error(`${contract} was not deployed`);
    return contractAddress;
  };
  return {
    ...{ url, trader: MINTER, rpc, stop, send },
    queue: (to, data) => rpc("eth_sendTransaction", { from: MINTER, to, gas: "0x100000", data }),
    read: (to, data) => rpc<Hex>("eth_call", { to, data }, "latest"),
    deploy,
    deployAt: async (address, ...contract) => {
      const code = await rpc<Hex>("eth_getCode", await deploy(...contract), "latest");
      await rpc("anvil_setCode", address, code);
    },
  };
}

async function deployExchange({ deploy }: Driver): Promise<Exchange> {
  const manager = await deploy("PoolManager", MINTER);
  return {
    manager,
    swapper: await deploy("PoolSwapTest", manager),
    provider: await deploy("PoolModifyLiquidityTest", manager),
  };
}
