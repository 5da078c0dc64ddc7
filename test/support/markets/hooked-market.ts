import { tokenOf, USDC } from "../../../devnet/market/tokens.ts";
import { encodeCall } from "../../../devnet/node/call-data.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { indexBlocks } from "../engine/index-blocks.ts";
import { temporaryFolder } from "../processes/processes.ts";
import { keyOf, NATIVE_COIN, startV4Node, type V4Node } from "./uniswap-v4.ts";
import { create, provide, swap, v4Chain } from "./v4-market.ts";

export const CHERT = tokenOf("CHERT").address;
/**
 * Address of the hook. It encodes the permissions AFTER_SWAP (bit 6) and AFTER_SWAP_RETURNS_DELTA (bit 2).
 */
export const HOOKS: Hex = `0x${"5".repeat(36)}0044`;
export const FLAGS = 0x44;
export const DOLLARS = keyOf(CHERT, USDC.address, { fee: 0, tickSpacing: 60, hooks: HOOKS });
export const ETHER = keyOf(NATIVE_COIN, CHERT, { fee: 3000, tickSpacing: 60, hooks: HOOKS });
const RANGE = { tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 18n };
const ONE = 10n ** 18n;

/** Change of the trader's balances in a swap, in base units. */
interface Flow {
  chert: bigint;
  dollars: bigint;
}

export interface HookedMarket {
  node: V4Node;
  chain: Chain;
  engine: Engine;
  /** The balance changes of each swap in the dollar pool. */
  flows: Flow[];
  close(): Promise<void>;
}

/**
 * Plays and indexes swaps in two pools with a hook that takes a share of what swappers get. The dollar pool
 * has a sale, a purchase, and a sale that pays out claims on the PoolManager. No transfer shows the claims.
 * The ether pool has a purchase. No transfer shows its ether.
 */
export async function openHookedMarket(): Promise<HookedMarket> {
  const folder = temporaryFolder();
  const node = await startV4Node([USDC.address, CHERT]);
  const chain = v4Chain("hooked", node.exchange.manager);
  const flows = await play(node);
  const engine = await openEmbeddedEngine({ path: folder.path });
  const newest = Number(await node.rpc<Hex>("eth_blockNumber"));
  await indexBlocks(engine, chain, { url: node.url, to: newest });
  const close = async () => {
    await engine.close();
    await node.stop();
    folder.remove();
  };
  return { node, chain, engine, flows, close };
}

async function play(node: V4Node): Promise<Flow[]> {
  await node.deployAt(HOOKS, "FeeTakingHook", node.exchange.manager);
  await create(node, DOLLARS, DOLLARS.currency0 === CHERT ? 3e-12 : 1e12 / 3);
  await create(node, ETHER, 1000);
  for (const key of [DOLLARS, ETHER]) await provide(node, key, RANGE);
  const flows: Flow[] = [];
  for (const [isSale, takeClaims] of [[true], [false], [true, true]]) {
    const before = await purse(node);
    const zeroForOne = (DOLLARS.currency0 === CHERT) === isSale;
    const amount = isSale ? -ONE : -3_000_000n;
    await swap(node, DOLLARS, { zeroForOne, amount, takeClaims: takeClaims ?? false });
    const after = await purse(node);
    flows.push({ chert: after.chert - before.chert, dollars: after.dollars - before.dollars });
  }
  await swap(node, ETHER, { zeroForOne: true, amount: -ONE / 1000n });
  return flows;
}

async function purse({ read, trader }: V4Node): Promise<Flow> {
  const held = async (token: Hex) => BigInt(await read(token, encodeCall("balanceOf(address)", trader)));
  return { chert: await held(CHERT), dollars: await held(USDC.address) };
}
