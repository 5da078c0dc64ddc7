import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { fillDisk, mountSmallDisk } from "../support/engine/small-disk.ts";
import { bundleCounts, USDC_WETH } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { apiAt, type Running, startQuarry } from "../support/processes/processes.ts";

const { first: FIRST } = bundleCounts(USDC_WETH);
const RESERVE_MIB = 24;

const disk = mountSmallDisk("96m");
afterAll(() => disk?.unmount());

interface Status {
  chains: { ready: boolean; message: string | null; indexed_block: number }[];
}

it.skipIf(disk === null)(
  "a service on a full disk pauses indexing, says so, keeps serving, starts, and resumes when there is room",
  async () => {
    const folder = disk?.path ?? "";
    const filler = join(folder, "filler");
    const data = ["--data", join(folder, "data"), "--port", "0"];
    const node = await startReplayNode([USDC_WETH], { head: FIRST + 20, advanceMs: 200 });
    onTestFinished(async () => void (await node.stop()));
    const range = ["--rpc", node.url, "--no-verify", "--from", String(FIRST)];
    const start = (reserveMiB: number) => ["start", ...range, "--disk-reserve", String(reserveMiB)];
    const run = async (args: string[]) => {
      const running = startQuarry([...args, ...data]);
      onTestFinished(async () => void (await running.stop()));
      const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
      return { running, api: apiAt(url), url };
    };
    const chainOf = async (
      api: ReturnType<typeof apiAt>,
      until: (chain: Status["chains"][number]) => boolean,
    ) => {
      for (let tries = 0; tries < 300; tries++, await sleep(100)) {
        const [chain] = (await api.get<Status>("/v1/status")).chains;
        if (chain !== undefined && until(chain)) return chain;
      }
      throw new Error(`the status never became so: ${JSON.stringify(await api.get("/v1/status"))}`);
    };
    const end = async (running: Running) => expect((await running.stop()).code).toBe(0);

    const first = await run(start(RESERVE_MIB));
    await chainOf(first.api, ({ ready, indexed_block }) => ready && indexed_block >= FIRST + 20);
    fillDisk(filler);
    const paused = await chainOf(first.api, ({ ready }) => !ready);
    expect(paused.message).toMatch(/almost full: \d+ MiB are free.*up to block \d+ is still served/);
    expect((await fetch(`${first.url}/ready`)).status).toBe(503);
    expect(await (await fetch(`${first.url}/metrics`)).text()).toMatch(
      /quarry_indexing_stalled\{chain="eth"\} 1/,
    );
    expect(first.running.output()).toMatch(/indexing pauses/);
    const count = "SELECT COUNT(*) AS n FROM eth_blocks";
    expect(await first.api.sql(count)).toEqual([{ n: paused.indexed_block - FIRST + 1 }]);
    await end(first.running);

    fillDisk(filler);
    const reader = await run(["serve"]);
    expect(await reader.api.sql(count)).toEqual([{ n: paused.indexed_block - FIRST + 1 }]);
    await end(reader.running);

    // Without a reserve, the engine itself notices that the disk is full.
    const second = await run(start(0));
    const still = await chainOf(second.api, ({ ready }) => !ready);
    expect(still.indexed_block).toBe(paused.indexed_block);
    expect(still.message).toMatch(/disk that holds the data is full/);
    rmSync(filler);
    await chainOf(
      second.api,
      ({ ready, indexed_block }) => ready && indexed_block > paused.indexed_block + 5,
    );
    expect((await fetch(`${second.url}/ready`)).status).toBe(200);
    await end(second.running);
    expect(() => execFileSync("test", ["-e", join(folder, "data/quarry.lock")])).toThrow();
  },
);
