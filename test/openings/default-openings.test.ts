import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { apiAt, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

interface ChainStatus {
  indexed_block: number | null;
  opening_balances: { mode: string; reading: number; waiting: number } | null;
}

const { name: _, ...chain } = devnetChain();
const folder = temporaryFolder();
const config = join(folder.path, "quarry.json");
let node: MarketNode;

beforeAll(async () => {
  node = await startMarketNode(10);
  await node.trade(10, 3);
  writeFileSync(config, JSON.stringify({ chains: { own: chain } }));
});
afterAll(async () => {
  await node?.stop();
  folder.remove();
});

/**
 * Starts a service on the node's chain while `use` runs. `use` gets a function that reads the chain's status.
 */
async function withService(
  args: string[],
  use: (status: () => Promise<ChainStatus>) => Promise<void>,
): Promise<void> {
  const place = ["--config", config, "--chain", "own", "--rpc", node.url, "--port", "0"];
  const service = startQuarry(["start", ...place, ...args]);
  try {
    const [, url = ""] = await service.printed(/"url":"(http:[^"]+)"/);
    const api = apiAt(url);
    await use(async () => {
      const { chains } = await api.get<{ chains: [ChainStatus] }>("/v1/status");
      return chains[0];
    });
  } finally {
    await service.stop();
  }
}

it("an index from the middle of a chain looks for the balances of pools, unless it must not", async () => {
  const middle = String((await node.head()).number - 5);
  const data = join(folder.path, "middle");
  await withService(["--from", middle, "--data", data], async (status) => {
    await vi.waitUntil(
      async () => {
        const { opening_balances: found } = await status();
        return found !== null && found.mode === "pools" && found.reading + found.waiting > 0;
      },
      { timeout: 40_000, interval: 100 },
    );
  });
  await withService(["--data", data, "--opening-balances", "none"], async (status) => {
    await vi.waitUntil(async () => (await status()).indexed_block !== null, {
      timeout: 20_000,
      interval: 100,
    });
    expect((await status()).opening_balances).toBeNull();
  });
});

it("an index from the start of a chain has nothing to look for", async () => {
  const { number } = await node.head();
  const roundsMs = 5_000;
  await withService(["--from", "0", "--data", join(folder.path, "whole")], async (status) => {
    await vi.waitUntil(async () => (await status()).indexed_block === number, {
      timeout: 40_000,
      interval: 100,
    });
    await sleep(roundsMs);
    expect((await status()).opening_balances).toBeNull();
  });
});
