import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../src/lib/hex.ts";
import { bundleCounts, MAINNET, SHARED_REPLAY_NODE } from "../support/nodes/bundles.ts";
import type { FaultKind } from "../support/nodes/replay/faults.ts";
import { type ReplayOptions, startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, startProcess } from "../support/processes/processes.ts";

const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";
const { first, last } = bundleCounts(MAINNET);

/** Starts the replay node that comes with the full bundles. Our replay node must behave the same. */
async function startSharedNode(flags: string[]): Promise<Node> {
  const running = startProcess(process.execPath, [
    SHARED_REPLAY_NODE ?? "",
    MAINNET,
    "--port",
    "0",
    ...flags,
  ]);
  const [, url = ""] = await running.printed(/replay-rpc on (http:\S+?):? blocks/);
  return { url, stop: () => running.stop() };
}

const word = (value: number | Hex) =>
  (typeof value === "number" ? value.toString(16) : value.slice(2)).padStart(64, "0");
const hex = (value: number): Hex => `0x${value.toString(16)}`;

/** Returns an aggregate3 call of decimals() at each address. */
function multicall(addresses: Hex[]): object {
  const call = (to: Hex) => [word(to), word(1), word(96), word(4), "313ce567".padEnd(64, "0")].join("");
  const offsets = addresses.map((_, i) => word(addresses.length * 32 + i * 160));
  const data = ["0x82ad56cb", word(32), word(addresses.length), ...offsets, ...addresses.map(call)].join("");
  return { to: MULTICALL3, data };
}

const REQUESTS: [method: string, params: unknown[]][] = [
  ["eth_chainId", []],
  ["net_version", []],
  ["eth_blockNumber", []],
  ["eth_syncing", []],
  ["eth_unheardOf", []],
  ["eth_getBlockByNumber", ["latest", false]],
  ["eth_getBlockByNumber", ["earliest", true]],
  ["eth_getBlockByNumber", ["finalized", false]],
  ["eth_getBlockByNumber", ["safe", false]],
  ["eth_getBlockByNumber", [hex(first + 1), true]],
  ["eth_getBlockByNumber", [hex(last + 1), true]],
  ["eth_getBlockReceipts", [hex(first + 1)]],
  ["eth_getBlockReceipts", [hex(last + 1)]],
  ["eth_getLogs", [{ fromBlock: hex(first), toBlock: hex(first), topics: [TRANSFER] }]],
  ["eth_getLogs", [{ fromBlock: hex(first), toBlock: hex(first + 1), address: WETH }]],
  [
    "eth_getLogs",
    [{ fromBlock: hex(first), toBlock: hex(last), topics: [[TRANSFER], null], address: [WETH] }],
  ],
  ["eth_getCode", [WETH, "latest"]],
  ["eth_getCode", [`0x${"11".repeat(20)}`, "latest"]],
  ["eth_call", [{ to: WETH, data: "0x313ce567" }, "latest"]],
  ["eth_call", [{ to: WETH, input: "0x12345678" }, "latest"]],
  ["eth_call", [multicall([WETH, `0x${"11".repeat(20)}`, WETH]), "latest"]],
];

async function post(url: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const VARIANTS: { name: string; flags: string[]; options: ReplayOptions }[] = [
  { name: "as it is", flags: [], options: {} },
  {
    name: "with an earlier head and another chain id",
    flags: ["--head", String(first + 1), "--chain-id", "137"],
    options: { head: first + 1, chainId: 137 },
  },
  {
    name: "with limits",
    flags: ["--no-block-receipts", "--max-range", "1"],
    options: { hasBlockReceipts: false, maxRange: 1 },
  },
  ...(["429", "500", "truncate", "null", "drop-log", "dup-log"] as FaultKind[]).map((kind) => ({
    name: `with fault ${kind}`,
    flags: ["--faults", `${kind}:0.5`, "--seed", "7"],
    options: { faults: { [kind]: 0.5 }, seed: 7 },
  })),
];

describe.skipIf(SHARED_REPLAY_NODE === null).each(VARIANTS)(
  "the replay node, $name",
  ({ flags, options }) => {
    let shared: Node;
    let own: Node;

    beforeAll(async () => {
      [shared, own] = await Promise.all([startSharedNode(flags), startReplayNode([MAINNET], options)]);
    });

    afterAll(async () => {
      await Promise.all([shared?.stop(), own?.stop()]);
    });

    it("responds as the shared one does, one by one and in a batch", async () => {
      const calls = REQUESTS.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }));
      for (const body of [...calls, calls])
        expect(await post(own.url, body)).toEqual(await post(shared.url, body));
    });

    it("knows blocks, receipts and transactions by their hashes", async () => {
      const { text } = await post(shared.url, call("eth_getBlockByNumber", [hex(first), false]));
      const block = /"hash":"(0x\w{64})"/.exec(text)?.[1];
      const transaction = /"transactions":\["(0x\w{64})"/.exec(text)?.[1];
      await post(own.url, call("eth_getBlockByNumber", [hex(first), false]));
      for (const body of [
        call("eth_getBlockByHash", [block, true]),
        call("eth_getBlockReceipts", [block]),
        call("eth_getTransactionReceipt", [transaction]),
        call("eth_getTransactionByHash", [transaction]),
      ])
        expect(await post(own.url, body)).toEqual(await post(shared.url, body));
    });
  },
);

function call(method: string, params: unknown[]): object {
  return { jsonrpc: "2.0", id: 1, method, params };
}
