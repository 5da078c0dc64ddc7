/**
 * Records a market in the real BinPoolManager of PancakeSwap Infinity:
 *
 *   node --import tsx test/data/make/markets/record-infinity-bin.ts FOLDER
 *
 * FOLDER is a clone of pancakeswap/infinity-core with its submodules. Its contracts are compiled with Quarry's
 * compiler, which is newer than theirs.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { decodeFunctionResult, encodeAbiParameters, encodeFunctionData, keccak256, parseAbi } from "viem";
import type { Hex } from "../../../../src/lib/hex.ts";
import { Random } from "../../../serving/random.ts";
import { ACCOUNT } from "../../../support/nodes/local-node.ts";
import { compile, MarketRecorder, type Token } from "./recorder.ts";

const TARGET = resolve(import.meta.dirname, "../../infinity-bin");
const NATIVE: Hex = `0x${"0".repeat(40)}`;
const HOOK_PERMISSIONS = 0x0444n;
const DYNAMIC_FEE = 0x800000;
const ID_OF_PRICE_1 = 2 ** 23;
/** Bins on each side of the first one that the market uses. */
const REACH = 40;
const STEPS = 170;
const WHOLE = 10n ** 18n;

const VIEWS = parseAbi([
  "function total(bytes32 id, uint24 from, uint24 to) view returns (uint256, uint256)",
  "function positions(bytes32 id, uint24 from, uint24 to) view returns (uint24[])",
  "function getSlot0(bytes32 id) view returns (uint24, uint24, uint24)",
  "function protocolFeesAccrued(address currency) view returns (uint256)",
  "function reservesOfApp(address app, address currency) view returns (uint256)",
]);
const ADMIN = parseAbi([
  "function registerApp(address app)",
  "function setProtocolFeeController(address controller)",
  "function setProtocolFee((address,address,address,address,uint24,bytes32) key, uint24 fee)",
  "function collectProtocolFees(address recipient, address currency, uint256 amount)",
  "function setMinBinSharesForDonate(uint256 minShare)",
]);
const KEY = ["address", "address", "address", "address", "uint24", "bytes32"].map((type) => ({ type }));

interface Key {
  currency0: Hex;
  currency1: Hex;
  hooks: Hex;
  poolManager: Hex;
  fee: number;
  parameters: Hex;
}

interface Pool {
  key: Key;
  id: Hex;
  /** The pool's first bin. */
  start: number;
  /** Base units of a deposit, in each token. */
  sizes: [bigint, bigint];
}

const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** Resolves the imports of infinity-core's contracts, and lets another compiler than theirs compile them. */
function sourceIn(folder: string, path: string): string | null {
  const file = path
    .replace(/^@openzeppelin\//, "lib/openzeppelin-contracts/")
    .replace(/^solmate\//, "lib/solmate/");
  const full = join(folder, file);
  return existsSync(full)
    ? readFileSync(full, "utf8").replace("pragma solidity 0.8.26", "pragma solidity ^0.8.26")
    : null;
}

class BinMarket {
  readonly #recorder: MarketRecorder;
  readonly #random = new Random(8);
  readonly #pools: Pool[] = [];
  readonly #reverts: string[] = [];
  #vault: Hex = "0x";
  #manager: Hex = "0x";
  #trader: Hex = "0x";
  #hook: Hex = "0x";

  constructor(recorder: MarketRecorder) {
    this.#recorder = recorder;
  }

  async deploy(folder: string): Promise<void> {
    const recorder = this.#recorder;
    const roots = ["src/Vault.sol", "src/pool-bin/BinPoolManager.sol"];
    const contracts = compile(roots, (path) => sourceIn(folder, path), { viaIR: true });
    const [vault, manager] = [contracts.Vault, contracts.BinPoolManager];
    if (vault === undefined || manager === undefined) throw new Error(`${folder} has no ${roots}`);
    this.#vault = await recorder.deploy(vault);
    this.#manager = await recorder.deploy(manager, this.#vault);
    await this.#admin(this.#vault, "registerApp", this.#manager);
    await this.#admin(this.#manager, "setMinBinSharesForDonate", 1n);
    this.#trader = await recorder.deploy(recorder.contract("BinTrader"), this.#vault, this.#manager);
    this.#hook = await recorder.deploy(recorder.contract("BinHook"), this.#vault);
    await recorder.node.rpc("anvil_setBalance", this.#trader, `0x${(10n ** 6n * WHOLE).toString(16)}`);
  }

  /**
   * Plans a pool of two tokens, one with the native coin, one with a hook and a dynamic fee, and one without
   * fees. No token is in two of them, so what the vault holds of a token belongs to the token's pool.
   */
  async planPools(): Promise<void> {
    const tokens: Token[] = [];
    for (const decimals of [18, 6, 6, 18, 18, 6, 18])
      tokens.push(await this.#recorder.deployToken(decimals, `T${tokens.length}`, [this.#trader]));
    const [a, b, c, d, e, f, g] = tokens.map(({ address, decimals }) => ({ address, decimals }));
    if (!a || !b || !c || !d || !e || !f || !g) throw new Error("too few tokens");
    this.#plan([a, b], { fee: 3000, step: 10n });
    this.#plan([{ address: NATIVE, decimals: 18 }, c], { fee: 100, step: 1n });
    this.#plan([d, e], { fee: DYNAMIC_FEE, step: 25n, hooks: this.#hook });
    this.#plan([f, g], { fee: 2500, step: 100n });
  }

  #plan(
    tokens: { address: Hex; decimals: number }[],
    { fee, step, hooks = NATIVE }: { fee: number; step: bigint; hooks?: Hex },
  ): void {
    const [first, second] = tokens.toSorted((one, other) => (one.address < other.address ? -1 : 1));
    if (first === undefined || second === undefined) throw new Error("a pool has two tokens");
    const permissions = hooks === NATIVE ? 0n : HOOK_PERMISSIONS;
    const parameters: Hex = `0x${word((step << 16n) | permissions)}`;
    const key = {
      ...{ currency0: first.address, currency1: second.address, hooks, poolManager: this.#manager },
      ...{ fee, parameters },
    };
    const id = keccak256(encodeAbiParameters(KEY, Object.values(key)));
    // Prices of whole tokens are around 1, so the first bin depends on their decimals.
    const digits = second.decimals - first.decimals;
    const bins = Math.round((digits * Math.log(10)) / Math.log(1 + Number(step) / 10_000));
    const sizes: [bigint, bigint] = [10n ** BigInt(first.decimals), 10n ** BigInt(second.decimals)];
    this.#pools.push({ key, id, start: ID_OF_PRICE_1 + bins, sizes });
  }

  #admin(to: Hex, functionName: (typeof ADMIN)[number]["name"], ...args: unknown[]) {
    const data = encodeFunctionData({ abi: ADMIN, functionName, args: args as never });
    return this.#recorder.transact(to, data);
  }

  #run(functionName: string, ...args: unknown[]) {
    return this.#recorder.run("BinTrader", this.#trader, functionName, ...args);
  }

  async play(): Promise<void> {
    for (const { key, start } of this.#pools)
      await this.#recorder.call("BinTrader", this.#trader, "initialize", key, start);
    // A controller that is not a contract cannot report a pool's first fee, so it is set afterwards.
    await this.#admin(this.#manager, "setProtocolFeeController", ACCOUNT);
    for (const pool of this.#pools) await this.#mint(pool, -12, 12);
    for (const pool of this.#pools.slice(0, 3)) await this.#setFee(pool);
    for (let step = 0; step < STEPS; step++) {
      const pool = this.#random.pick(this.#pools);
      // A step may revert, for example because the active bin is empty. Its failed transaction is recorded.
      await this.#step(pool, this.#random.below(20)).catch(({ message }: Error) =>
        this.#reverts.push(message),
      );
    }
    console.log(`${this.#reverts.length} of ${STEPS} steps reverted:`, new Set(this.#reverts));
    for (const pool of this.#pools) await this.#burn(pool, 1_000_000n, Infinity);
  }

  async #step(pool: Pool, kind: number): Promise<void> {
    const isWithFee = pool !== this.#pools[3];
    if (kind < 10) await this.#swap(pool);
    else if (kind < 13) await this.#mint(pool, -this.#random.below(9), this.#random.below(9));
    else if (kind < 15) await this.#burn(pool, BigInt(1 + this.#random.below(999_999)), 5);
    else if (kind === 15) await this.#burn(pool, 1_000_000n, 4);
    else if (kind === 16) await this.#run("donate", pool.key, this.#odd(), this.#odd());
    else if (kind === 17) await this.#mintInActiveBin(pool);
    else if (kind === 18 && isWithFee) await this.#setFee(pool);
    else await this.#admin(this.#manager, "collectProtocolFees", ACCOUNT, pool.key.currency1, 0n);
  }

  /** Swaps a small or large part of what the pool has of the bought token, exact on either side. */
  async #swap(pool: Pool): Promise<void> {
    const [isForY, isExactOut] = [this.#random.below(2) === 1, this.#random.below(3) === 0];
    const [paid, bought] = isForY ? ([0, 1] as const) : ([1, 0] as const);
    const [size, sum] = [pool.sizes[bought], (await this.#totals(pool))[bought]];
    const part = BigInt(1 + this.#random.below(this.#random.below(2) === 0 ? 600 : 20));
    // Prices of whole tokens are around 1, also outside of the first bin.
    const most = (sum * part) / 1000n;
    const amount = (isExactOut ? most : (most * pool.sizes[paid]) / size) + this.#odd();
    await this.#run("swap", pool.key, isForY, isExactOut ? amount : -amount);
  }

  /** Adds liquidity to the bins from `lower` to `upper`, counted from the active one. */
  async #mint(pool: Pool, lower: number, upper: number): Promise<void> {
    const active = await this.#active(pool);
    const first = Math.max(lower, pool.start - REACH - active);
    const last = Math.min(upper, pool.start + REACH - active);
    const bins = Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => Math.min(first, last) + i);
    const above = bins.filter((bin) => bin >= 0).length;
    const below = bins.filter((bin) => bin <= 0).length;
    const configs = bins.map((bin) => {
      const share0 = bin >= 0 ? WHOLE / BigInt(above) : 0n;
      const share1 = bin <= 0 ? WHOLE / BigInt(below) : 0n;
      return `0x${word((share0 << 88n) | (share1 << 24n) | BigInt(active + bin))}`;
    });
    const [amount0, amount1] = pool.sizes.map(
      (size) => size * BigInt(1 + this.#random.below(9)) + this.#odd(),
    );
    await this.#add(pool, configs, amount0 ?? 0n, amount1 ?? 0n);
  }

  /** Adds only one of the tokens to the active bin, twice, which is a swap in part. */
  async #mintInActiveBin(pool: Pool): Promise<void> {
    const active = BigInt(await this.#active(pool));
    const isFirst = this.#random.below(2) === 0;
    const config: Hex = `0x${word(((WHOLE / 2n) << 88n) | ((WHOLE / 2n) << 24n) | active)}`;
    const [size0, size1] = pool.sizes;
    await this.#add(pool, [config, config], isFirst ? size0 / 3n : 0n, isFirst ? 0n : size1 / 3n);
  }

  #add({ key }: Pool, liquidityConfigs: string[], amount0: bigint, amount1: bigint) {
    const amountIn: Hex = `0x${word((amount1 << 128n) | amount0)}`;
    return this.#run("mint", key, { liquidityConfigs, amountIn, salt: `0x${word(0n)}` });
  }

  /** Burns a part, in millionths, of up to `count` positions. A whole position leaves some units in its bin. */
  async #burn(pool: Pool, part: bigint, count: number): Promise<void> {
    const data = await this.#view(this.#trader, "positions", [pool.id, ...this.#reach(pool)]);
    const bins = decodeFunctionResult({ abi: VIEWS, functionName: "positions", data });
    const chosen = count === Infinity ? [...bins] : this.#random.some([...bins], count);
    if (chosen.length > 0) await this.#run("burn", pool.key, chosen.map(BigInt), part);
  }

  /** Sets the protocol's fees of both directions, 0.4 % at most. */
  async #setFee({ key }: Pool): Promise<void> {
    const fees = (this.#random.below(40) * 100) | ((this.#random.below(41) * 100) << 12);
    await this.#admin(this.#manager, "setProtocolFee", Object.values(key), fees);
  }

  #odd(): bigint {
    return BigInt(this.#random.below(99_999));
  }

  #reach({ start }: Pool): [number, number] {
    return [start - 2 * REACH, start + 2 * REACH];
  }

  async #view(address: Hex, functionName: string, args: readonly unknown[], block?: number): Promise<Hex> {
    const at = block ?? (await this.#recorder.node.head()).number;
    return this.#recorder.view(VIEWS, address, functionName, args, at);
  }

  async #active({ id }: Pool, block?: number): Promise<number> {
    const data = await this.#view(this.#manager, "getSlot0", [id], block);
    return decodeFunctionResult({ abi: VIEWS, functionName: "getSlot0", data })[0];
  }

  async #totals(pool: Pool, block?: number): Promise<readonly [bigint, bigint]> {
    const data = await this.#view(this.#trader, "total", [pool.id, ...this.#reach(pool)], block);
    return decodeFunctionResult({ abi: VIEWS, functionName: "total", data });
  }

  /** Returns the sum of each pool's bins, after checking that the vault holds them for the manager. */
  async stateAfter(block: number): Promise<Record<Hex, string[]>> {
    const held: Record<Hex, string[]> = {};
    for (const pool of this.#pools) {
      const sums = await this.#totals(pool, block);
      for (const [i, currency] of [pool.key.currency0, pool.key.currency1].entries()) {
        const inVault = await this.#view(this.#vault, "reservesOfApp", [this.#manager, currency], block);
        const fees = await this.#view(this.#manager, "protocolFeesAccrued", [currency], block);
        if (BigInt(inVault) - BigInt(fees) !== sums[i])
          throw new Error(`${pool.id} differs in block ${block}`);
      }
      held[pool.id] = sums.map(String);
    }
    return held;
  }

  get facts(): object {
    return { manager: this.#manager, pools: this.#pools.map(({ id }) => ({ pool: id })) };
  }
}

const recorder = await MarketRecorder.start();
try {
  const market = new BinMarket(recorder);
  await market.deploy(resolve(process.argv[2] ?? "."));
  await market.planPools();
  const { number: before } = await recorder.node.head();
  await market.play();
  await recorder.write(TARGET, before, market.facts, (block) => market.stateAfter(block));
} finally {
  await recorder.node.stop();
}
