/**
 * Records a market in the real Core of Ekubo, version 3:
 *
 *   node --import tsx test/data/make/markets/record-ekubo-v3.ts FOLDER
 *
 * FOLDER is a clone of EkuboProtocol/evm-contracts, which has the transaction that deployed the Core.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { encodeAbiParameters, keccak256, parseAbi, parseAbiParameters } from "viem";
import type { Hex } from "../../../../src/lib/hex.ts";
import { Random } from "../../../serving/random.ts";
import { MarketRecorder } from "./recorder.ts";

const TARGET = resolve(import.meta.dirname, "../../ekubo-v3");
const DEPLOYMENT = "broadcast/DeployAll.s.sol/1/run-1767193782789.json";
const CORE: Hex = "0x00000000000014aa86c5d3c41765bb24e11bd701";
const NATIVE: Hex = `0x${"0".repeat(40)}`;
/** Address of the extension. Its first byte says that it is called before pools are created. */
const EXTENSION: Hex = `0x01${"e".repeat(38)}`;
const STEPS = 120;
const UNIT = 10n ** 18n;
const [MIN_SQRT_RATIO, MAX_SQRT_RATIO] = [
  4_611_797_791_050_542_631n,
  79_227_682_466_138_141_934_206_691_491n,
];
const MAX_TICK = 88_722_835;
const BALANCE = parseAbi(["function balanceOf(address) view returns (uint256)"]);

interface Transaction {
  contractName: string;
  transaction: { to: Hex; input: Hex };
}

interface Key {
  token0: Hex;
  token1: Hex;
  config: Hex;
}

interface Position {
  id: Hex;
  liquidity: bigint;
}

interface Pool {
  key: Key;
  id: Hex;
  tick: number;
  positions: Position[];
  /** Amounts that are saved in the Core outside the pool, by block. */
  saved: { block: number; amount: bigint }[];
}

const digits = (value: bigint, bytes: number) =>
  BigInt.asUintN(8 * bytes, value)
    .toString(16)
    .padStart(2 * bytes, "0");

/** Returns a pool's config: extension, fee and the kind of its positions. */
function configOf(fee: bigint, kind: bigint, extension = NATIVE): Hex {
  return `${extension}${digits(fee, 8)}${digits(kind, 4)}`;
}

const withTicks = (spacing: number) => 0x80000000n | BigInt(spacing);
const STABLE_AMPLIFICATION = 6;

function positionOf(salt: number, lower: number, upper: number): Position {
  const ticks = digits(BigInt(lower), 4) + digits(BigInt(upper), 4);
  return { id: `0x${digits(BigInt(salt), 24)}${ticks}`, liquidity: 0n };
}

class EkuboMarket {
  readonly #recorder: MarketRecorder;
  readonly #random = new Random(6);
  readonly #pools: Pool[] = [];
  #trader: Hex = "0x";

  constructor(recorder: MarketRecorder) {
    this.#recorder = recorder;
  }

  async deploy(folder: string): Promise<void> {
    const { transactions } = JSON.parse(readFileSync(join(folder, DEPLOYMENT), "utf8")) as {
      transactions: Transaction[];
    };
    const core = transactions.find(({ contractName }) => contractName === "Core")?.transaction;
    if (core === undefined) throw new Error(`${DEPLOYMENT} has no Core`);
    const { rpc } = this.#recorder.node;
    await this.#recorder.transact(core.to, core.input);
    this.#trader = await this.#recorder.deploy(this.#recorder.contract("CoreTrader"));
    await rpc("anvil_setCode", EXTENSION, this.#recorder.contract("CoreTrader").code);
    for (const trader of [this.#trader, EXTENSION]) {
      await this.#call(trader, "setCore", CORE);
      await rpc("anvil_setBalance", trader, `0x${(10n ** 6n * UNIT).toString(16)}`);
    }
    await this.#call(EXTENSION, "register");
  }

  /**
   * Plans a pool with ticks and the native coin, one with an extension, and a stable one. No token is in two
   * of them, so the Core's balance of a token is what it holds for the token's pool.
   */
  async planPools(): Promise<void> {
    const tokens: Hex[] = [];
    for (const [symbol, decimals] of [
      ["TICKS", 18] as const,
      ["ONE", 6] as const,
      ["OTHER", 18] as const,
      ["COIN", 8] as const,
      ["DOLLAR", 18] as const,
    ])
      tokens.push((await this.#recorder.deployToken(decimals, symbol, [this.#trader, EXTENSION])).address);
    const [ticks = NATIVE, ...others] = tokens;
    const [fee, width] = [2n ** 64n / 1000n, MAX_TICK >> STABLE_AMPLIFICATION];
    const full = positionOf(4, -MAX_TICK, MAX_TICK);
    this.#plan([NATIVE, ticks], configOf(fee, withTicks(1000)), 0, [
      positionOf(1, -1_000_000, 1_000_000),
      positionOf(2, -20_000, 50_000),
      positionOf(3, 100_000, 300_000),
    ]);
    this.#plan(others.slice(0, 2), configOf(10n * fee, 0n, EXTENSION), 5000, [full]);
    const stable = BigInt(STABLE_AMPLIFICATION) << 24n;
    this.#plan(others.slice(2), configOf(fee / 2n, stable), 0, [positionOf(5, -width, width)]);
  }

  #plan(tokens: readonly Hex[], config: Hex, tick: number, positions: Position[]): void {
    const [token0 = NATIVE, token1 = NATIVE] = [...tokens].sort();
    const words = encodeAbiParameters(parseAbiParameters("address, address, bytes32"), [
      token0,
      token1,
      config,
    ]);
    this.#pools.push({ key: { token0, token1, config }, id: keccak256(words), tick, positions, saved: [] });
  }

  #call(trader: Hex, functionName: string, ...args: unknown[]) {
    return this.#recorder.call("CoreTrader", trader, functionName, ...args);
  }

  #run(functionName: string, ...args: unknown[]) {
    return this.#recorder.run("CoreTrader", this.#trader, functionName, ...args);
  }

  async play(): Promise<void> {
    for (const { key, tick } of this.#pools) await this.#call(this.#trader, "initialize", key, tick);
    for (const pool of this.#pools)
      for (const position of pool.positions) await this.#change(pool, position, 3n * UNIT);
    for (let step = 0; step < STEPS; step++) {
      const pool = this.#random.pick(this.#pools);
      await this.#step(pool, this.#random.pick(pool.positions), this.#random.below(12));
    }
    // A position that is closed without its fees: the Core keeps them.
    const [pool] = this.#pools;
    const position = pool?.positions[0];
    if (pool !== undefined && position !== undefined) await this.#change(pool, position, -position.liquidity);
  }

  async #step(pool: Pool, position: Position, kind: number): Promise<void> {
    const odd = BigInt(this.#random.below(99_999));
    const part = BigInt(1 + this.#random.below(50));
    if (kind < 5) await this.#swap(pool, odd);
    else if (kind < 7) await this.#change(pool, position, UNIT / 10n + odd);
    else if (kind < 9) await this.#change(pool, position, -(position.liquidity * part) / 100n);
    else if (kind === 9) await this.#run("collect", pool.key, position.id);
    else if (kind === 10) await this.#accumulate(odd);
    else await this.#save(pool, odd);
  }

  async #swap({ key }: Pool, odd: bigint): Promise<void> {
    const [isToken1, isExactOut] = [this.#random.below(2), this.#random.below(2)];
    const size = 10n ** 14n + odd * 10n ** BigInt(this.#random.below(11));
    const limit = isToken1 === isExactOut ? MIN_SQRT_RATIO : MAX_SQRT_RATIO;
    const flags = digits(BigInt(isToken1) << 31n, 4);
    const amount = digits(isExactOut ? -size : size, 16);
    await this.#run("swap", key, `0x${digits(limit, 12)}${amount}${flags}`);
  }

  async #change({ key }: Pool, position: Position, liquidity: bigint): Promise<void> {
    await this.#run("update", key, position.id, liquidity);
    position.liquidity += liquidity;
  }

  /** The extension adds fees to its pool. */
  async #accumulate(odd: bigint): Promise<void> {
    const pool = this.#pools.find(({ key }) => key.config.startsWith(EXTENSION));
    await this.#recorder.run("CoreTrader", EXTENSION, "accumulate", pool?.key, odd, 10n ** 9n + odd);
  }

  async #save(pool: Pool, amount: bigint): Promise<void> {
    await this.#run("save", pool.key, amount, amount);
    pool.saved.push({ block: (await this.#recorder.node.head()).number, amount });
  }

  /** Returns the Core's balance of both tokens of each pool, and the part of each balance that is saved. */
  async stateAfter(block: number): Promise<Record<Hex, string[][]>> {
    const held: Record<Hex, string[][]> = {};
    for (const { key, id, saved } of this.#pools) {
      const kept = saved.reduce((sum, one) => sum + (one.block <= block ? one.amount : 0n), 0n);
      const balances = await Promise.all(
        [key.token0, key.token1].map((token) => this.#balance(token, block)),
      );
      held[id] = balances.map((balance) => [`${BigInt(balance)}`, `${kept}`]);
    }
    return held;
  }

  #balance(token: Hex, block: number): Promise<Hex> {
    if (token === NATIVE) return this.#recorder.node.rpc("eth_getBalance", CORE, `0x${block.toString(16)}`);
    return this.#recorder.view(BALANCE, token, "balanceOf", [CORE], block);
  }

  get facts(): object {
    return { core: CORE, pools: this.#pools.map(({ id }) => ({ pool: id })) };
  }
}

const recorder = await MarketRecorder.start();
try {
  const market = new EkuboMarket(recorder);
  await market.deploy(resolve(process.argv[2] ?? "."));
  await market.planPools();
  const { number: before } = await recorder.node.head();
  await market.play();
  await recorder.write(TARGET, before, market.facts, (block) => market.stateAfter(block));
} finally {
  await recorder.node.stop();
}
