import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAI, TAXED, USDC, USDT, WETH } from "../../../devnet/market/tokens.ts";
import { MINTER } from "../../../devnet/market/wallets.ts";
import { BlockMaker } from "../../../devnet/node/block-maker.ts";
import { encodeCall, keccak, keccakText, word } from "../../../devnet/node/call-data.ts";
import { genesis, MULTICALL, ROUTER } from "../../../devnet/node/genesis.ts";
import { BLOCK_GAS_LIMIT, startNode } from "../../../devnet/node/node-process.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { temporaryFolder } from "../processes/processes.ts";

export interface ContractCall {
  to: Hex;
  data: Hex;
}

/** A transaction with several calls: either all take effect, or none. */
export interface Order {
  /** Number of the trader. */
  trader: number;
  calls: readonly ContractCall[];
  gas: number;
}

export interface RealToken {
  address: Hex;
  decimals: number;
  /** The demo token whose code this token uses. */
  like: "Token" | "TaxedToken";
}

/** A node with the real DEX contracts, whose blocks the test mines. */
export interface DexNode {
  url: string;
  /** Returns the newest block. */
  head(): { number: number; timestamp: number };
  mine(timestamp: number, orders: readonly Order[]): Promise<void>;
  addressOf(trader: number): Hex;
  stop(): Promise<void>;
}

/** Amount of each token that the contract holds: more than all trades need. */
const HOARD = 2n ** 96n;
const BALANCES = 4;
const WRAPPED_STATE = { balances: 3, allowances: 4 };

/**
 * Starts the node at a given time. One contract holds all tokens, and trades for the sender of each
 * transaction, which counts as the trader. So no balances have to be tracked.
 */
export async function startDexNode(tokens: readonly RealToken[], startTime: number): Promise<DexNode> {
  const folder = temporaryFolder();
  const file = join(folder.path, "genesis.json");
  writeFileSync(file, JSON.stringify(genesisWith(tokens, startTime)));
  const node = await startNode({ port: 0, state: ["--init", file, "--timestamp", `${startTime}`] });
  folder.remove();
  const accounts = ((await node.client.call("eth_accounts")) as Hex[]).map(
    (each) => each.toLowerCase() as Hex,
  );
  const maker = await BlockMaker.open(node.client, 1, accounts);
  const numbers = new Map<number, Hex>();
  const addressOf = (trader: number) => {
    const address = numbers.get(trader) ?? accounts[numbers.size];
    if (address === undefined) throw new Error(`more than ${accounts.length} traders`);
    numbers.set(trader, address);
    return address;
  };
  return {
    url: node.client.url,
    head: () => ({ number: maker.number, timestamp: maker.timestamp }),
    mine: async (timestamp, orders) => {
      const gas = orders.reduce((sum, order) => sum + order.gas, 0);
      if (gas > BLOCK_GAS_LIMIT) throw new Error(`block at ${timestamp} would need ${gas} gas`);
      await maker.mine(
        timestamp,
        orders.map(({ trader, calls, gas }) => ({
          from: addressOf(trader),
          to: MULTICALL,
          data: together(calls),
          gas,
        })),
      );
    },
    addressOf,
    stop: () => node.end(),
  };
}

interface Account {
  code: Hex;
  storage: Record<Hex, Hex>;
}

function genesisWith(tokens: readonly RealToken[], startTime: number): object {
  const block = genesis(MINTER, startTime) as { alloc: Record<Hex, Account> };
  const { alloc } = block;
  const accountAt = (address: Hex) => alloc[address] ?? { code: "0x", storage: {} };
  const hoard: Hex = `0x${word(HOARD)}`;
  for (const coin of [USDC, USDT, DAI]) {
    accountAt(coin.address).storage[inMapping(MULTICALL, BALANCES)] = hoard;
  }
  const wrapped = accountAt(WETH.address).storage;
  wrapped[inMapping(MULTICALL, WRAPPED_STATE.balances)] = hoard;
  wrapped[keccak(`0x${word(ROUTER)}${inMapping(MULTICALL, WRAPPED_STATE.allowances).slice(2)}`)] = hoard;
  for (const { address, decimals, like } of tokens) {
    const { code, storage } = accountAt(modelOf(like));
    alloc[address] = {
      ...{ ...accountAt(modelOf(like)), code },
      storage: {
        ...storage,
        [slot(0)]: `0x${word(decimals)}`,
        [inMapping(MULTICALL, BALANCES)]: hoard,
      },
    };
  }
  return block;
}

function modelOf(like: RealToken["like"]): Hex {
  return like === "Token" ? USDC.address : TAXED.address;
}

function slot(number: number): Hex {
  return `0x${word(number)}`;
}

function inMapping(key: Hex, place: number): Hex {
  return keccak(`0x${word(key)}${word(place)}`);
}

/** Derives a token's address from its number. Some addresses sort above the quote's address, some below. */
export function tokenAddress(number: number): Hex {
  return `0x${keccakText(`token of a played case ${number}`).slice(-40)}`;
}

/** Encodes a call of aggregate3((address,bool,bytes)[]). */
function together(calls: readonly ContractCall[]): Hex {
  const parts = calls.map(({ to, data }) => {
    const bytes = data.slice(2);
    const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, "0");
    return `${word(to)}${word(0)}${word(96)}${word(bytes.length / 2)}${padded}`;
  });
  let offset = 32 * calls.length;
  const offsets = parts.map((part) => {
    const here = word(offset);
    offset += part.length / 2;
    return here;
  });
  return `${encodeCall("aggregate3((address,bool,bytes)[])")}${word(32)}${word(calls.length)}${offsets.join("")}${parts.join("")}`;
}
