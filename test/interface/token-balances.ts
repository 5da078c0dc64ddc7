import { expect } from "vitest";
import { WETH } from "../../devnet/market/tokens.ts";
import { encodeCall, keccakText } from "../../devnet/node/call-data.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { blockTimes } from "./pools.ts";
import { decided, section } from "./support/rules.ts";
import { answer, once, post, sql, the } from "./support/service.ts";

const ZERO = `0x${"0".repeat(40)}`;
const [TRANSFER, DEPOSIT, WITHDRAWAL] = [
  "Transfer(address,address,uint256)",
  "Deposit(address,uint256)",
  "Withdrawal(address,uint256)",
].map(keccakText);

interface Log {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
}

interface Balance {
  wallet: string;
  token: string;
  base: bigint;
  /** Block of the last change. */
  block: number;
}

const addressIn = (topic = "") => `0x${topic.slice(26)}`;

/** Returns the balance changes that a log reports. */
function movesOf({ address, topics, data }: Log): [wallet: string, change: bigint][] {
  const [event, first, second] = topics;
  if (event === TRANSFER && topics.length === 3) {
    const moves: [string, bigint][] = [
      [addressIn(first), -BigInt(data)],
      [addressIn(second), BigInt(data)],
    ];
    return moves.filter(([wallet]) => wallet !== ZERO);
  }
  if (address !== WETH.address) return [];
  if (event === DEPOSIT) return [[addressIn(first), BigInt(data)]];
  return event === WITHDRAWAL ? [[addressIn(first), -BigInt(data)]] : [];
}

/** Computes the balances by wallet and token from the node's logs. */
const balances = once(async () => {
  const logs = await the().node.rpc<Log[]>("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" });
  const changes = new Map<string, Balance>();
  for (const log of logs) {
    const block = Number(log.blockNumber);
    for (const [wallet, change] of movesOf(log)) {
      const key = `${wallet} ${log.address} ${block}`;
      const base = (changes.get(key)?.base ?? 0n) + change;
      changes.set(key, { wallet, token: log.address, base, block });
    }
  }
  const held = new Map<string, Balance>();
  for (const change of [...changes.values()].filter(({ base }) => base !== 0n)) {
    const key = `${change.wallet} ${change.token}`;
    held.set(key, { ...change, base: (held.get(key)?.base ?? 0n) + change.base });
  }
  return held;
});

const rows = once(() => sql("SELECT * FROM eth_token_balances ORDER BY record_index LIMIT 100000"));
const keyOf = ({ wallet_address, token_address }: Record<string, unknown>) =>
  `${wallet_address} ${token_address}`;

const metadata = once(async () => {
  const found = await sql("SELECT * FROM eth_token_metadata LIMIT 1000");
  return new Map(found.map((row) => [row.token_address, row]));
});

section("Tables: eth_token_balances", import.meta.url, () => {
  decided("One row for each wallet and token whose balance ever changed", async () => {
    const found = (await rows()).map(keyOf);
    expect(found.toSorted()).toEqual([...(await balances()).keys()].toSorted());
    expect(found.length).toBeGreaterThan(100);
  });

  const fields: Record<string, (balance: Balance) => unknown> = {
    "wallet_address: string": ({ wallet }) => wallet,
    "token_address: string": ({ token }) => token,
    "token_symbol: string": async ({ token }) => (await metadata()).get(token)?.token_symbol,
    "balance_base: string, base units, the sum of the transfers": ({ base }) => String(base),
    "balance_token: double, tokens": async ({ base, token }) =>
      Number(`${base}e-${(await metadata()).get(token)?.decimals}`),
    "block_number: integer, of the last change": ({ block }) => block,
    "timestamp: string (ISO 8601), of the last change": async ({ block }) =>
      new Date(((await blockTimes())[block] ?? 0) * 1000).toISOString(),
  };
  for (const [text, expected] of Object.entries(fields)) {
    decided(text, async () => {
      const field = text.split(":")[0] ?? "";
      for (const row of await rows()) {
        const balance = (await balances()).get(keyOf(row)) ?? expect.fail(keyOf(row));
        expect([keyOf(row), row[field]]).toEqual([keyOf(row), await expected(balance)]);
      }
    });
  }

  decided("record_index: integer, unique, ascending with chain order", async () => {
    const [indexes, blocks] = [
      (await rows()).map((row) => row.record_index),
      (await rows()).map((row) => row.block_number),
    ];
    expect(indexes.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(indexes).size).toBe(indexes.length);
    expect(blocks).toEqual(blocks.toSorted((a, b) => a - b));
  });

  decided("balance_base equals balanceOf()", async () => {
    for (const row of await rows()) {
      const data = encodeCall("balanceOf(address)", row.wallet_address);
      const balance = await the().node.rpc<Hex>("eth_call", { to: row.token_address, data }, "latest");
      expect([keyOf(row), row.balance_base]).toEqual([keyOf(row), String(BigInt(balance))]);
    }
  });

  decided("token-balances of the top-records endpoint: the same rows, times in Unix seconds", async () => {
    const eq = [...(await metadata()).keys()];
    const given = { groupby: "token_address", eq, sortby: "record_index", order: "asc", size: 1000 };
    const { status, body } = await post("/v1/topk-api/token-balances", given);
    expect(status).toBe(200);
    const found = Object.values<Record<string, unknown>[]>(body).flat();
    const inOrder = found.toSorted((a, b) => Number(a.record_index) - Number(b.record_index));
    const timed = (await rows()).map((row) => ({ ...row, timestamp: Date.parse(row.timestamp) / 1000 }));
    expect(inOrder).toEqual(timed);
  });

  decided("token-balances of the top-records endpoint: a wallet's largest first", async () => {
    const wallet = the().oak.pool;
    const given = { groupby: "wallet_address", eq: [wallet], sortby: "balance_token", size: 10 };
    const { [wallet]: found = [] } = await answer("/v1/topk-api/token-balances", given);
    const own = (await rows()).filter((row) => row.wallet_address === wallet);
    const ranked = own.toSorted((a, b) => b.balance_token - a.balance_token).map(keyOf);
    expect(found.map(keyOf)).toEqual(ranked);
    expect(ranked.length).toBe(2);
  });
});
