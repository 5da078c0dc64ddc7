import { join } from "node:path";
import type { Hex } from "../../../src/lib/hex.ts";
import { ROOT, startProcess } from "../processes/processes.ts";

/** An account whose key the node has. */
export const ACCOUNT: Hex = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Code that emits the log Transfer(caller, first word, second word) on any call, like an ERC-20 token. */
const TOKEN_CODE = `602035600052600035337f${TRANSFER}60206000a300`;
const TOKEN_CREATION: Hex = `0x603180600b6000396000f3${TOKEN_CODE}`;

/** A chain whose blocks the test mines and removes. */
export interface LocalNode {
  url: string;
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Deploys a token in a separate block. Resolves to its address. */
  deployToken(): Promise<Hex>;
  /** Mines blocks, each with one transfer of the token. The amounts depend on the seed. */
  mine(token: Hex, blocks: number, seed: number): Promise<void>;
  head(): Promise<{ number: number; hash: Hex }>;
  stop(): Promise<unknown>;
}

export async function startLocalNode(hardfork = "prague"): Promise<LocalNode> {
  const binary = join(ROOT, "node_modules/.bin/anvil");
  const running = startProcess(binary, ["--port", "0", "--no-mining", "--hardfork", hardfork]);
  const [, address] = await running.printed(/Listening on (\S+)/);
  const url = `http://${address}`;
  const rpc = caller(url);
  return {
    url,
    rpc,
    stop: () => running.stop(),
    async deployToken() {
      const hash = await rpc<Hex>("eth_sendTransaction", {
        from: ACCOUNT,
        gas: "0x30d40",
        data: TOKEN_CREATION,
      });
      await rpc("anvil_mine", "0x1");
      return (await rpc<{ contractAddress: Hex }>("eth_getTransactionReceipt", hash)).contractAddress;
    },
    async mine(token, blocks, seed) {
      for (let i = 0; i < blocks; i++) {
        await rpc("eth_sendTransaction", transfer(token, seed * 1_000 + i));
        await rpc("anvil_mine", "0x1");
      }
    },
    async head() {
      const block = await rpc<{ number: Hex; hash: Hex }>("eth_getBlockByNumber", "latest", false);
      return { number: Number(block.number), hash: block.hash };
    },
  };
}

/** Makes a transaction that moves `amount` of the token to the address whose number is `amount`. */
export function transfer(token: Hex, amount: number): object {
  const word = amount.toString(16).padStart(64, "0");
  return { from: ACCOUNT, to: token, gas: "0x186a0", data: `0x${word}${word}` };
}

/** Returns a function that calls a method of a node. It throws the node's error. */
export function caller(url: string) {
  return async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}
