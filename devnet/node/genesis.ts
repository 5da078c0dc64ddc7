import type { Hex } from "../../src/lib/hex.ts";
import artifacts from "../contracts/artifacts.json" with { type: "json" };
import { TICK_SPACINGS, V2_FACTORY, V3_FACTORY } from "../market/pools.ts";
import { V4_MANAGER } from "../market/shared/shared-pools.ts";
import { type DemoToken, TOKENS } from "../market/tokens.ts";
import { keccak, keccakText, word } from "./call-data.ts";
import { BLOCK_GAS_LIMIT, CHAIN_ID } from "./node-process.ts";
import { v3FactoryCode, v4ManagerCode, waffleCode } from "./published-code.ts";

/** @internal Exported for tests. */
export const MULTICALL: Hex = "0xca11bde05977b3631167028862be2a173976ca11";
export const ROUTER: Hex = `0x${keccakText("quarry demo router").slice(-40)}`;
export const COLLECTION: Hex = `0x${keccakText("quarry demo collection").slice(-40)}`;

interface Account {
  balance: "0x0";
  code: Hex;
  storage: Record<Hex, Hex>;
}

/**
 * Returns the first block. It has every contract, except contracts that other contracts or transactions
 * create, and no token has a supply yet. `minter` may mint tokens.
 */
export function genesis(minter: Hex, timestamp: number): object {
  const own = ownCode();
  const alloc: Record<Hex, Account> = {
    [MULTICALL]: account(own("Multicall")),
    [ROUTER]: account(own("Router")),
    [COLLECTION]: account(own("Collection")),
    [V2_FACTORY]: account(waffleCode("@uniswap/v2-core/build/UniswapV2Factory.json")),
    [V3_FACTORY]: account(v3FactoryCode(V3_FACTORY), v3FactoryStorage(minter)),
    [V4_MANAGER]: account(v4ManagerCode(V4_MANAGER), { [slot(0)]: `0x${word(minter)}` }),
  };
  for (const token of TOKENS) {
    alloc[token.address] =
      token.kind === "weth" ? wrappedEther(token) : account(own(token.kind), tokenStorage(token, minter));
  }
  return {
    config: { chainId: CHAIN_ID },
    nonce: "0x0",
    timestamp: `0x${timestamp.toString(16)}`,
    gasLimit: `0x${BLOCK_GAS_LIMIT.toString(16)}`,
    difficulty: "0x0",
    alloc,
  };
}

function account(code: Hex, storage: Record<Hex, Hex> = {}): Account {
  return { balance: "0x0", code, storage };
}

function ownCode(): (name: string) => Hex {
  const codes = artifacts as Record<string, Hex>;
  return (name) => codes[name] ?? "0x";
}

function v3FactoryStorage(owner: Hex): Record<Hex, Hex> {
  const storage: Record<Hex, Hex> = { [slot(3)]: `0x${word(owner)}` };
  for (const [fee, spacing] of Object.entries(TICK_SPACINGS)) {
    storage[keccak(`0x${word(Number(fee))}${word(4)}`)] = `0x${word(spacing)}`;
  }
  return storage;
}

function wrappedEther(token: DemoToken): Account {
  const storage = { [slot(0)]: shortText(token.name), [slot(1)]: shortText(token.symbol) };
  const code = waffleCode("@uniswap/v2-periphery/build/WETH9.json");
  return account(code, { ...storage, [slot(2)]: `0x${word(token.decimals)}` });
}

/** Returns the storage of a token. The slots follow the order of the fields in contracts/Tokens.sol. */
function tokenStorage(token: DemoToken, minter: Hex): Record<Hex, Hex> {
  const text = token.kind === "Bytes32Token" ? bytes32Text : shortText;
  return {
    [slot(0)]: `0x${word(token.decimals)}`,
    [slot(1)]: `0x${word(minter)}`,
    [slot(2)]: `0x${word(ROUTER)}`,
    [slot(6)]: text(token.name),
    [slot(7)]: text(token.symbol),
  };
}

function slot(number: number): Hex {
  return `0x${word(number)}`;
}

function bytes32Text(text: string): Hex {
  return `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
}

/**
 * Encodes a Solidity string of less than 32 bytes, with the text on the left and twice its length in the last
 * byte.
 */
function shortText(text: string): Hex {
  const length = Buffer.byteLength(text);
  return `0x${bytes32Text(text).slice(2, 64)}${(2 * length).toString(16).padStart(2, "0")}`;
}
