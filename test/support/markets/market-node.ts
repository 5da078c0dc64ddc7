import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addPair, addPosition, sqrtPriceX96 } from "../../../devnet/market/liquidity.ts";
import { type Market, mineMarketBlock } from "../../../devnet/market/market.ts";
import { openMarket } from "../../../devnet/market/opening.ts";
import {
  type DemoPool,
  POOLS,
  RUG_POOL,
  V2_FACTORY,
  V2_INIT_CODE_HASH,
  V3_FACTORY,
  V3_INIT_CODE_HASH,
} from "../../../devnet/market/pools.ts";
import { hiddenPrice } from "../../../devnet/market/price-path.ts";
import { Random } from "../../../devnet/market/random.ts";
import { type DemoToken, WETH } from "../../../devnet/market/tokens.ts";
import { ALL, tradeEther, tradeShare } from "../../../devnet/market/trade.ts";
import { assignWallets, MINTER, type Wallets } from "../../../devnet/market/wallets.ts";
import { BlockMaker, type Intent } from "../../../devnet/node/block-maker.ts";
import { create2Address, encodeCall, keccak, word } from "../../../devnet/node/call-data.ts";
import { genesis, ROUTER } from "../../../devnet/node/genesis.ts";
import { NodeClient } from "../../../devnet/node/node-client.ts";
import { ACCOUNTS, BLOCK_GAS_LIMIT, CHAIN_ID } from "../../../devnet/node/node-process.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { ROOT, startProcess, temporaryFolder } from "../processes/processes.ts";

/** The plan of the market that the node plays. */
export const PLAN = { seed: 7, startTime: 1_699_990_000, endTime: 1_700_000_000 };
const BLOCK_SECONDS = 60;

/** A token that the demo does not have. Its only pool is against WETH. */
export interface Listing {
  symbol: string;
  decimals: number;
  version: 2 | 3;
}

/**
 * The demo's market on a node whose blocks the test mines and removes. Unlike the demo's node, it keeps old
 * states, so a fork can return to them.
 */
export interface MarketNode {
  url: string;
  rpc<T>(method: string, ...parameters: unknown[]): Promise<T>;
  head(): Promise<{ number: number; hash: Hex }>;
  /** Mines blocks with trades. Trades and their times depend on the seed. */
  trade(blocks: number, seed: number): Promise<void>;
  /** Returns a seed's trades as transactions for `anvil_reorg`. */
  orders(count: number, seed: number): object[];
  /**
   * Deploys a token, creates its pool, and trades there. After a fork from an earlier block, the next listing
   * gets the same address, whatever its symbol and decimals are.
   */
  list(listing: Listing): Promise<{ token: Hex; pool: Hex }>;
  stop(): Promise<unknown>;
}

/** Starts the node and opens its market: tokens, pools and a few hours of trading. */
export async function startMarketNode(historyBlocks: number): Promise<MarketNode> {
  const folder = temporaryFolder();
  const file = join(folder.path, "genesis.json");
  writeFileSync(file, JSON.stringify(genesis(MINTER, PLAN.startTime)));
  const running = startProcess(join(ROOT, "node_modules/.bin/anvil"), [
    ...["--port", "0", "--chain-id", `${CHAIN_ID}`, "--hardfork", "cancun", "--init", file],
    ...["--accounts", `${ACCOUNTS}`, "--balance", "400000", "--gas-limit", `${BLOCK_GAS_LIMIT}`],
    ...["--no-mining", "--order", "fifo", "--disable-min-priority-fee", "--timestamp", `${PLAN.startTime}`],
  ]);
  const [, address] = await running.printed(/Listening on (\S+)/);
  folder.remove();
  const stop = () => running.stop();
  try {
    const node = await ForkableMarket.open(new NodeClient(`http://${address}`), stop);
    await node.begin(historyBlocks);
    return node;
  } catch (error) {
    await stop();
    throw error;
  }
}

class ForkableMarket implements MarketNode {
  readonly url: string;
  readonly stop: () => Promise<unknown>;
  readonly #client: NodeClient;
  readonly #accounts: Hex[];
  readonly #wallets: Wallets;

  private constructor(client: NodeClient, accounts: Hex[], stop: () => Promise<unknown>) {
    this.url = client.url;
    this.stop = stop;
    this.#client = client;
    this.#accounts = accounts;
    this.#wallets = assignWallets(accounts);
  }

  static async open(client: NodeClient, stop: () => Promise<unknown>): Promise<ForkableMarket> {
    const accounts = (await client.call("eth_accounts")) as Hex[];
    return new ForkableMarket(
      client,
      accounts.map((account) => account.toLowerCase() as Hex),
      stop,
    );
  }

  async begin(blocks: number): Promise<void> {
    const maker = await this.#maker(PLAN.seed);
    const market: Market = { plan: PLAN, maker, client: this.#client, wallets: this.#wallets };
    await openMarket(maker, this.#wallets, (token) => hiddenPrice(PLAN.seed, token, PLAN.startTime));
    for (let i = 0; i < blocks; i++) await mineMarketBlock(market, maker.timestamp + BLOCK_SECONDS);
  }

  async rpc<T>(method: string, ...parameters: unknown[]): Promise<T> {
    return (await this.#client.call(method, ...parameters)) as T;
  }

  async head(): Promise<{ number: number; hash: Hex }> {
    const block = await this.rpc<{ number: Hex; hash: Hex }>("eth_getBlockByNumber", "latest", false);
    return { number: Number(block.number), hash: block.hash };
  }

  async trade(blocks: number, seed: number): Promise<void> {
    const maker = await this.#maker(seed);
    for (let i = 0; i < blocks; i++) {
      const random = new Random(seed, i);
      await maker.mine(maker.timestamp + 1 + random.below(90), this.#trades(random));
    }
  }

  orders(count: number, seed: number): object[] {
    const hex = (value: number | bigint) => `0x${value.toString(16)}`;
    return Array.from({ length: count }, (_, i) => this.#trades(new Random(seed, i)))
      .flat()
      .slice(0, count)
      .map(({ from, to, data, value = 0n, gas = 500_000 }) => ({
        ...{ from, to, data, value: hex(value), gas: hex(gas) },
        gasPrice: hex(200e9),
      }));
  }

  async list({ symbol, decimals, version }: Listing): Promise<{ token: Hex; pool: Hex }> {
    const { minter, retail, makers } = this.#wallets;
    const [deployer, trader, owner] = [retail.at(-1) ?? minter, retail[0] ?? minter, makers[0] ?? minter];
    const address = await this.#deploy(deployer, tokenCreation(symbol, decimals));
    const token: DemoToken = { ...WETH, address, symbol, name: `${symbol} Token`, decimals, kind: "Token" };
    const pool = poolOf(token, version);
    const amount = (held: DemoToken) =>
      held === WETH ? 100n * 10n ** 18n : 50_000n * 10n ** BigInt(decimals);
    const maker = await this.#maker(decimals);
    const now = maker.timestamp;
    const supply = encodeCall("mint(address[],uint256)", [owner], 10n * amount(token));
    await maker.mine(now + 12, [
      { from: minter, to: address, data: supply, gas: 200_000 },
      ...opened(pool, { from: minter, owner }, [amount(pool.token0), amount(pool.token1)]),
    ]);
    await maker.mine(now + 24, [tradeEther(trader, pool, [WETH, 0.5]), tradeEther(owner, pool, [WETH, 0.2])]);
    await maker.mine(now + 36, [tradeShare({ trader, through: [pool], sell: token, share: ALL / 3 })]);
    return { token: address, pool: pool.address };
  }

  /** Opens a block maker, which reads nonces, block number and time of the current fork. */
  #maker(seed: number): Promise<BlockMaker> {
    return BlockMaker.open(this.#client, seed, this.#accounts);
  }

  /** Makes trades in V2 pairs and V3 pools, for ether and for dollars. */
  #trades(random: Random): Intent[] {
    const trader = () => random.pick(this.#wallets.retail);
    const of = (version: number) => random.pick(ETHER_POOLS.filter((pool) => pool.version === version));
    const share = () => random.between(0.01, 0.4) * ALL;
    return [
      tradeEther(trader(), of(2), [WETH, random.between(0.05, 3)]),
      tradeEther(trader(), of(3), [WETH, random.between(0.05, 3)]),
      tradeShare({ trader: trader(), through: [of(2)], sell: WETH, share: share() }),
      tradeShare({ trader: trader(), through: [of(3)], sell: WETH, share: share() }),
    ];
  }

  async #deploy(from: Hex, data: Hex): Promise<Hex> {
    const order = { from, data, gas: "0x4c4b40", gasPrice: "0x2e90edd000" };
    const hash = await this.rpc<Hex>("eth_sendTransaction", order);
    await this.rpc("evm_mine");
    const receipt = await this.rpc<{ contractAddress: Hex; status: Hex }>("eth_getTransactionReceipt", hash);
    if (receipt.status !== "0x1") throw new Error("the token could not be deployed");
    return receipt.contractAddress.toLowerCase() as Hex;
  }
}

const ETHER_POOLS = POOLS.filter((pool) => [pool.token0, pool.token1].includes(WETH) && pool !== RUG_POOL);

function poolOf(token: DemoToken, version: 2 | 3): DemoPool {
  const [token0, token1] = token.address < WETH.address ? [token, WETH] : [WETH, token];
  const pair = `${token0.address.slice(2)}${token1.address.slice(2)}`;
  const address =
    version === 2
      ? create2Address(V2_FACTORY, keccak(`0x${pair}`), V2_INIT_CODE_HASH)
      : create2Address(
          V3_FACTORY,
          keccak(`0x${word(token0.address)}${word(token1.address)}${word(3000)}`),
          V3_INIT_CODE_HASH,
        );
  const venue = BigInt(address) | (version === 3 ? 1n << 160n : 0n);
  return { address, venue, version, fee: 3000, token0, token1, usd: 0 };
}

/** Returns the transactions that create a pool and fill it. */
function opened(
  pool: DemoPool,
  { from, owner }: { from: Hex; owner: Hex },
  [amount0, amount1]: [bigint, bigint],
): Intent[] {
  const [a, b] = [pool.token0.address, pool.token1.address];
  if (pool.version === 2) {
    const data = encodeCall("createPair(address,address)", a, b);
    return [{ from, to: V2_FACTORY, data, gas: 3_000_000 }, addPair(pool, owner, [amount0, amount1])];
  }
  const create = encodeCall("createPool(address,address,uint24)", a, b, pool.fee);
  const price = sqrtPriceX96(Number(amount1) / Number(amount0));
  const liquidity = BigInt(Math.floor(Math.sqrt(Number(amount0) * Number(amount1))));
  return [
    { from, to: V3_FACTORY, data: create, gas: 5_500_000 },
    { from, to: pool.address, data: encodeCall("initialize(uint160)", price), gas: 200_000 },
    addPosition({ pool, owner, lower: -887_220, upper: 887_220, liquidity }, liquidity),
  ];
}

/**
 * Returns code that creates a `Token` of contracts/Tokens.sol: it sets the token's state, and returns the
 * token's code.
 */
function tokenCreation(symbol: string, decimals: number): Hex {
  const file = join(ROOT, "devnet/contracts/artifacts.json");
  const code = (JSON.parse(readFileSync(file, "utf8")) as Record<string, Hex>).Token?.slice(2) ?? "";
  const state: [number, string][] = [
    [0, word(decimals)],
    [1, word(MINTER)],
    [2, word(ROUTER)],
    [6, shortText(`${symbol} Token`)],
    [7, shortText(symbol)],
  ];
  // PUSH32 value PUSH1 slot SSTORE
  const stores = state.map(([slot, value]) => `7f${value}60${slot.toString(16).padStart(2, "0")}55`).join("");
  const word16 = (value: number) => value.toString(16).padStart(4, "0");
  const start = stores.length / 2 + 13;
  // PUSH2 length DUP1 PUSH2 start PUSH1 0 CODECOPY PUSH1 0 RETURN
  return `0x${stores}61${word16(code.length / 2)}8061${word16(start)}6000396000f3${code}`;
}

/**
 * Encodes a Solidity string of less than 32 bytes: the text on the left, twice its length in the last byte.
 */
function shortText(text: string): string {
  const bytes = Buffer.from(text);
  return `${bytes.toString("hex").padEnd(62, "0")}${(2 * bytes.length).toString(16).padStart(2, "0")}`;
}
