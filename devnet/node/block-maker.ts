import type { Hex } from "../../src/lib/hex.ts";
import { Random } from "../market/random.ts";
import type { Call, NodeClient } from "./node-client.ts";

/** A transaction to include in a block. */
export interface Intent {
  from: Hex;
  /** Null to create a contract. */
  to: Hex | null;
  data: Hex;
  /** Wei to send. */
  value?: bigint;
  gas?: number;
}

interface HeadAnswer {
  number: Hex;
  timestamp: Hex;
}

// Maximum number of calls in a batch. In longer batches anvil loses the order, because it mines before it has
// received all transactions.
const BATCH_CALLS = 32;
const DEFAULT_GAS = 500_000;
const GWEI = 1_000_000_000;
const LEGACY_SHARE = 0.12;

const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;

/**
 * Makes blocks of transactions. Nonces, fees and times are explicit, so the same transactions give the same
 * block hashes.
 */
export class BlockMaker {
  private readonly client: NodeClient;
  private readonly seed: number;
  private readonly nonces: Map<Hex, number>;
  /** Number of the newest block. */
  number: number;
  timestamp: number;

  private constructor(client: NodeClient, seed: number, head: { number: number; timestamp: number }) {
    this.client = client;
    this.seed = seed;
    this.nonces = new Map();
    this.number = head.number;
    this.timestamp = head.timestamp;
  }

  /** Continues from the node's newest block. */
  static async open(client: NodeClient, seed: number, accounts: Hex[]): Promise<BlockMaker> {
    const head = (await client.call("eth_getBlockByNumber", "latest", false)) as HeadAnswer;
    const maker = new BlockMaker(client, seed, {
      number: Number(head.number),
      timestamp: Number(head.timestamp),
    });
    await client.batch([
      ["anvil_setTime", [maker.timestamp]],
      ["anvil_setCoinbase", [BENEFICIARY]],
    ]);
    const counts = await client.batch(
      accounts.map((account) => ["eth_getTransactionCount", [account, "latest"]]),
    );
    for (const [at, account] of accounts.entries()) maker.nonces.set(account, Number(counts[at]));
    return maker;
  }

  /** Mines one block with the transactions in the given order. */
  async mine(timestamp: number, intents: Intent[]): Promise<void> {
    const random = new Random(this.seed, this.number + 1, 71);
    // The base fee varies between busy and quiet hours.
    const baseFee = Math.floor((14 + 8 * Math.sin(timestamp / 9_000)) * GWEI * random.between(0.8, 1.3));
    const calls: Call[] = [
      ["evm_setNextBlockTimestamp", [timestamp]],
      ["anvil_setNextBlockBaseFeePerGas", [hex(baseFee)]],
    ];
    for (const intent of intents)
      calls.push(["eth_sendTransaction", [this.transaction(intent, baseFee, random)]]);
    for (let at = 0; at < calls.length; at += BATCH_CALLS) {
      await this.client.batch(calls.slice(at, at + BATCH_CALLS));
    }
    await this.client.call("evm_mine");
    this.number += 1;
    this.timestamp = timestamp;
  }

  private transaction(intent: Intent, baseFee: number, random: Random): Record<string, Hex> {
    const nonce = this.nonces.get(intent.from) ?? 0;
    this.nonces.set(intent.from, nonce + 1);
    const tip = Math.floor(random.logNormal(0.4, 0.8) * GWEI);
    const fees: Record<string, Hex> = random.chance(LEGACY_SHARE)
      ? { gasPrice: hex(baseFee + tip) }
      : { maxFeePerGas: hex(2 * baseFee + tip), maxPriorityFeePerGas: hex(tip) };
    return {
      from: intent.from,
      ...(intent.to === null ? {} : { to: intent.to }),
      data: intent.data,
      value: hex(intent.value ?? 0n),
      gas: hex(intent.gas ?? DEFAULT_GAS),
      nonce: hex(nonce),
      ...fees,
    };
  }
}

const BENEFICIARY: Hex = "0xbea7ab1e00000000000000000000000000000001";
