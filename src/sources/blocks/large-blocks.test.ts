import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../test/support/nodes/recording.ts";
import { type Call, collect, endpoint, forward, open, replay } from "../support/rpc-endpoints.ts";

const { first: FIRST } = bundleCounts(MAINNET);
const truth = recordedBlocks(MAINNET).slice(0, 3);
/** Requests the receipts of a few transactions at a time. */
const FEW = { maxReceiptGas: 2_000_000 };

describe("blocks that are too large for one response", () => {
  it("are fetched in parts if they exceed the maximum size of a response", async () => {
    const url = await replay(MAINNET);
    const sizes = await Promise.all(truth.map(({ number }) => sizesOf(url, number)));
    const maxResponseBytes = Math.max(...sizes.map(({ block }) => block)) + 5_000;
    expect(Math.min(...sizes.map(({ block, receipts }) => block + receipts))).toBeGreaterThan(
      maxResponseBytes,
    );
    const { source } = await open([url], { limits: { ...FEW, maxResponseBytes } });
    expect(await collect(source, FIRST, FIRST + 2)).toEqual(truth);
  });

  it("are fetched in parts if the endpoint refuses to send their receipts at once", async () => {
    const node = forward(await replay(MAINNET));
    const requested: string[] = [];
    const { url } = await endpoint((call: Call) => {
      requested.push(call.method);
      return call.method === "eth_getBlockReceipts" ? new Error("response size too large") : node(call);
    });
    const { source } = await open([url], { limits: FEW });
    expect(await collect(source, FIRST, FIRST + 2)).toEqual(truth);
    expect(requested).toContain("eth_getTransactionReceipt");
  });

  it("are named in the log if the endpoint offers no receipts by transaction", async () => {
    const node = forward(await replay(MAINNET), ["eth_getTransactionReceipt"]);
    let isWell = false;
    const { url } = await endpoint((call: Call) =>
      !isWell && call.method === "eth_getBlockReceipts" ? new Error("response size too large") : node(call),
    );
    const { source, warnings } = await open([url], { limits: { warningIntervalMs: 0 } });
    const blocks = collect(source, FIRST, FIRST);
    await expect
      .poll(() => warnings.join("\n"))
      .toContain(`block ${FIRST}: offers no eth_getTransactionReceipt`);
    isWell = true;
    expect(await blocks).toEqual(truth.slice(0, 1));
  });
});

/** Returns the sizes of the responses for a block and for its receipts, in bytes. */
async function sizesOf(url: string, number: number): Promise<{ block: number; receipts: number }> {
  const node = forward(url);
  const params = [`0x${number.toString(16)}`];
  const sizeOf = async (call: Call) => JSON.stringify(await node(call)).length;
  return {
    block: await sizeOf({ method: "eth_getBlockByNumber", params: [...params, true] }),
    receipts: await sizeOf({ method: "eth_getBlockReceipts", params }),
  };
}
