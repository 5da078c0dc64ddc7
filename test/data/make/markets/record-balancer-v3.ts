/**
 * Records a market in the real Vault of Balancer V3:
 *
 *   node --import tsx test/data/make/markets/record-balancer-v3.ts FOLDER
 *
 * FOLDER is a clone of balancer/balancer-deployments, whose artifacts have the bytecode of the Vault.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Abi, decodeFunctionResult, encodeFunctionData, getContractAddress, parseAbi } from "viem";
import type { Hex } from "../../../../src/lib/hex.ts";
import { Random } from "../../../serving/random.ts";
import { ACCOUNT } from "../../../support/nodes/local-node.ts";
import { MarketRecorder, type Token } from "./recorder.ts";

const TARGET = resolve(import.meta.dirname, "../../balancer-v3");
const TASKS = resolve(process.argv[2] ?? ".", "v3/tasks");
const VAULT_TASK = "20241204-v3-vault";
const CONTROLLER_TASK = "20250214-v3-protocol-fee-controller-v2";
const STEPS = 110;
const DAY = 86_400;
const UNIT = 10n ** 18n;
const NO_LIMIT = 10n ** 40n;

const VIEWS = parseAbi([
  "function getPoolTokenInfo(address) view returns (address[], (uint8, address, bool)[], uint256[], uint256[])",
  "function getAggregateSwapFeeAmount(address, address) view returns (uint256)",
  "function getAggregateYieldFeeAmount(address, address) view returns (uint256)",
]);
const ADMIN = parseAbi(["function enableRecoveryMode(address)", "function disableRecoveryMode(address)"]);
const CONTROLLER = parseAbi([
  "function collectAggregateFees(address)",
  "function setPoolCreatorSwapFeePercentage(address, uint256)",
]);

function artifact(task: string, name: string): { abi: Abi; bytecode: Hex } {
  return JSON.parse(readFileSync(join(TASKS, task, "artifact", `${name}.json`), "utf8"));
}

interface Pool {
  pool: Hex;
  tokens: Token[];
}

class BalancerMarket {
  readonly #recorder: MarketRecorder;
  readonly #random = new Random(5);
  readonly #pools: Pool[] = [];
  #vault: Hex = "0x";
  #controller: Hex = "0x";
  #factory: Hex = "0x";
  #trader: Hex = "0x";
  #provider: Hex = "0x";
  #creator: Hex = ACCOUNT;
  #rate = UNIT;

  constructor(recorder: MarketRecorder) {
    this.#recorder = recorder;
  }

  /**
   * Deploys the Vault. Its parts are deployed before it and need its address, so the address is computed in
   * advance.
   */
  async deploy(): Promise<void> {
    const recorder = this.#recorder;
    this.#creator = (await recorder.node.rpc<Hex[]>("eth_accounts"))[1] ?? ACCOUNT;
    const authorizer = await recorder.deploy(recorder.contract("Authorizer"));
    const nonce = BigInt(await recorder.node.rpc<Hex>("eth_getTransactionCount", ACCOUNT, "latest"));
    this.#vault = getContractAddress({ from: ACCOUNT, nonce: nonce + 3n }).toLowerCase() as Hex;
    const controller = artifact(CONTROLLER_TASK, "ProtocolFeeController");
    this.#controller = await recorder.deploy(controller, this.#vault, UNIT / 2n, UNIT / 10n);
    const times = [365 * DAY, 30 * DAY, 1000n, 1000n];
    const admin = await recorder.deploy(artifact(VAULT_TASK, "VaultAdmin"), this.#vault, ...times);
    const extension = await recorder.deploy(artifact(VAULT_TASK, "VaultExtension"), this.#vault, admin);
    const vault = artifact(VAULT_TASK, "Vault");
    const deployed = await recorder.deploy(vault, extension, authorizer, this.#controller);
    if (deployed !== this.#vault) throw new Error(`the Vault is at ${deployed}`);
    this.#factory = await recorder.deploy(recorder.contract("SumPoolFactory"), this.#vault);
    this.#trader = await recorder.deploy(recorder.contract("VaultTrader"), this.#vault);
    this.#provider = await recorder.deploy(recorder.contract("RateProvider"));
  }

  /**
   * Deploys three tokens, one of which has a yield. Returns a function that creates a pool of all three and a
   * pool of the other two.
   */
  async createPools(): Promise<() => Promise<void>> {
    const tokens: Token[] = [];
    for (const [symbol, decimals] of [["ONE", 18] as const, ["TWO", 6] as const, ["YIELD", 18] as const])
      tokens.push(await this.#recorder.deployToken(decimals, symbol, [this.#trader]));
    tokens.sort((a, b) => (a.address < b.address ? -1 : 1));
    return async () => {
      await this.#create(tokens, UNIT / 333n);
      await this.#create(
        tokens.filter(({ symbol }) => symbol !== "YIELD"),
        UNIT / 100n,
      );
      for (const { pool, tokens: listed } of this.#pools)
        await this.#run("initialize", pool, amountsOf(listed, 1_000_000n, 7n));
    };
  }

  async #create(tokens: Token[], swapFee: bigint): Promise<void> {
    const configs = tokens.map(({ address, symbol }) => ({
      token: address,
      tokenType: symbol === "YIELD" ? 1 : 0,
      rateProvider: symbol === "YIELD" ? this.#provider : `0x${"0".repeat(40)}`,
      paysYieldFees: symbol === "YIELD",
    }));
    // The fee has at most seven digits.
    const fee = (swapFee / 10n ** 11n) * 10n ** 11n;
    const { logs } = await this.#call("SumPoolFactory", this.#factory, "create", configs, fee, this.#creator);
    this.#pools.push({ pool: `0x${logs.at(-1)?.topics[1]?.slice(26)}`, tokens });
  }

  #call(name: string, address: Hex, functionName: string, ...args: unknown[]) {
    return this.#recorder.call(name, address, functionName, ...args);
  }

  #run(functionName: string, ...args: unknown[]) {
    return this.#recorder.run("VaultTrader", this.#trader, functionName, ...args);
  }

  async play(): Promise<void> {
    for (let step = 0; step < STEPS; step++) {
      const one = this.#random.pick(this.#pools);
      const kind = this.#random.below(16);
      if (kind < 5) await this.#swap(one);
      else if (kind < 9) await this.#join(one, kind - 5);
      else if (kind < 12) await this.#exit(one, kind - 9);
      else await this.#other(one, kind);
    }
    await this.#recover();
  }

  async #swap({ pool, tokens }: Pool): Promise<void> {
    const [sold, bought] = this.#random.some(tokens, 2);
    if (sold === undefined) return;
    const other = bought ?? tokens[tokens[0] === sold ? 1 : 0];
    if (other === undefined) return;
    const isExactOut = this.#random.below(2);
    const [given] = amountsOf([isExactOut ? other : sold], this.#whole(), this.#odd());
    const limit = isExactOut ? NO_LIMIT : 0n;
    await this.#run("swap", pool, isExactOut, sold.address, other.address, given, limit);
  }

  /** Adds all tokens in proportion, some of the tokens, one token, or a gift to the pool. */
  async #join({ pool, tokens }: Pool, kind: number): Promise<void> {
    const chosen = this.#random.below(tokens.length);
    const only = (amount: bigint) => tokens.map((_, i) => (i === chosen ? amount : 0n));
    const some = amountsOf(tokens, this.#whole(), this.#odd()).map((amount, i) =>
      i === chosen ? 0n : amount,
    );
    const [amounts, shares] = [
      [tokens.map(() => NO_LIMIT), 100n * UNIT + this.#odd()],
      [some, 0n],
      [only(NO_LIMIT), 10n * UNIT + this.#odd()],
      [amountsOf(tokens, 3n, this.#odd()), 0n],
    ][kind] as [bigint[], bigint];
    await this.#run("join", pool, amounts, shares, kind);
  }

  /** Removes all tokens in proportion, one token for a number of shares, or an amount of one token. */
  async #exit({ pool, tokens }: Pool, kind: number): Promise<void> {
    const chosen = this.#random.below(tokens.length);
    const nine = amountsOf(tokens, 9n, this.#odd())[chosen] ?? 0n;
    const wanted = [0n, 1n, nine][kind] ?? 0n;
    const least = tokens.map((_, i) => (i === chosen ? wanted : 0n));
    const shares = kind === 2 ? NO_LIMIT : (kind === 0 ? 100n : 10n) * UNIT + this.#odd();
    await this.#run("exit", pool, shares, least, kind);
  }

  /** Earns yield, collects fees, joins and exits at once, or changes the fee of the pool's creator. */
  async #other({ pool, tokens }: Pool, kind: number): Promise<void> {
    if (kind === 12) await this.#earn(500n);
    else if (kind === 13) await this.#collect(pool);
    else if (kind === 14)
      await this.#run(
        "joinAndExit",
        pool,
        tokens.map(() => NO_LIMIT),
        UNIT,
      );
    else {
      const share = BigInt(1 + this.#random.below(4)) * (UNIT / 10n);
      const data = encode(CONTROLLER, "setPoolCreatorSwapFeePercentage", pool, share);
      await this.#recorder.transact(this.#controller, data, this.#creator);
    }
  }

  async #earn(part: bigint): Promise<void> {
    this.#rate += this.#rate / part;
    await this.#call("RateProvider", this.#provider, "setRate", this.#rate);
  }

  #collect(pool: Hex) {
    return this.#recorder.transact(this.#controller, encode(CONTROLLER, "collectAggregateFees", pool));
  }

  /** Uses the first pool in recovery mode, in which no fees are charged on swaps or yield. */
  async #recover(): Promise<void> {
    const [one] = this.#pools;
    if (one === undefined) return;
    const none = one.tokens.map(() => 0n);
    await this.#recorder.transact(this.#vault, encode(ADMIN, "enableRecoveryMode", one.pool));
    await this.#run("recover", one.pool, 100n * UNIT, none);
    await this.#swap(one);
    await this.#run("exit", one.pool, 100n * UNIT, none, 0);
    await this.#earn(100n);
    await this.#recorder.transact(this.#vault, encode(ADMIN, "disableRecoveryMode", one.pool));
    await this.#swap(one);
    await this.#collect(one.pool);
  }

  #whole(): bigint {
    return BigInt(1 + this.#random.below(900));
  }

  #odd(): bigint {
    return BigInt(this.#random.below(99_999));
  }

  /** Returns the results of the Vault's views for each pool: its balances, and both fees. */
  async stateAfter(block: number): Promise<Record<Hex, string[][]>> {
    const held: Record<Hex, string[][]> = {};
    for (const { pool, tokens } of this.#pools) {
      const view = (name: string, ...args: unknown[]) =>
        this.#recorder.view(VIEWS, this.#vault, name, args, block);
      const answer = await view("getPoolTokenInfo", pool).catch(() => null);
      if (answer === null) continue;
      const [, , balances] = decodeFunctionResult({
        abi: VIEWS,
        functionName: "getPoolTokenInfo",
        data: answer,
      });
      held[pool] = [];
      for (const [i, { address }] of tokens.entries()) {
        const fees = ["getAggregateSwapFeeAmount", "getAggregateYieldFeeAmount"];
        const amounts = await Promise.all(fees.map((name) => view(name, pool, address)));
        held[pool].push([`${balances[i]}`, ...amounts.map((amount) => `${BigInt(amount)}`)]);
      }
    }
    return held;
  }

  get facts(): object {
    return {
      ...{ vault: this.#vault, controller: this.#controller, factory: this.#factory },
      pools: this.#pools.map(({ pool, tokens }) => ({ pool, tokens: tokens.map(({ address }) => address) })),
    };
  }
}

function encode(abi: Abi, functionName: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args });
}

function amountsOf(tokens: readonly Token[], whole: bigint, odd: bigint): bigint[] {
  return tokens.map(({ decimals }) => whole * 10n ** BigInt(decimals) + odd);
}

const recorder = await MarketRecorder.start();
try {
  const market = new BalancerMarket(recorder);
  await market.deploy();
  const open = await market.createPools();
  const { number: before } = await recorder.node.head();
  await open();
  await market.play();
  await recorder.write(TARGET, before, market.facts, (block) => market.stateAfter(block));
} finally {
  await recorder.node.stop();
}
