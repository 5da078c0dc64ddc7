import { expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { type Call, endpoint, failure, forward, open, replay } from "../support/rpc-endpoints.ts";

const { first: FIRST } = bundleCounts(MAINNET);
const { signal } = new AbortController();

interface Sent {
  transactions: { from: string }[];
}

/** Opens a source whose endpoint sends blocks in which another wallet sent the first transaction. */
async function openForged(verifySenders: boolean) {
  const respond = forward(await replay(MAINNET));
  const forged = async (call: Call) => {
    const result = await respond(call);
    if (call.method === "eth_getBlockByNumber" && call.params[1] === true)
      Object.assign((result as Sent).transactions[0] ?? {}, { from: `0x${"11".repeat(20)}` });
    return result;
  };
  const { url } = await endpoint(forged);
  return open([url], { verifySenders, limits: { maxCallAttempts: 1 } });
}

it("compares the senders of a block's transactions with their signatures if that is requested", async () => {
  const { source } = await openForged(true);
  const { message } = await failure(source.headers([FIRST], "transactions", signal));
  expect(message).toMatch(/transaction 0: sender 0x1{40} did not sign it/);
});

it("returns the senders that the endpoint sends otherwise", async () => {
  const { source } = await openForged(false);
  const [block] = await source.headers([FIRST], "transactions", signal);
  expect(block?.transactions?.[0]?.from).toBe(`0x${"11".repeat(20)}`);
});
