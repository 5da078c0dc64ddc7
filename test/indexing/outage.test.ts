import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import {
  type Api,
  apiAt,
  type Node,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);

/** The newest block at the start. The chain continues to grow while the endpoint is down. */
const HEAD = Math.round((FIRST + LAST) / 2) - 1;

interface Status {
  chains: {
    indexed_block: number;
    ready: boolean;
    message: string | null;
    endpoints: { url: string; requests: number; failures: number }[];
  }[];
}

/** Forwards requests to a node, cuts their connections, or never responds. */
class Gate {
  mode: "open" | "cut" | "silent" = "open";
  readonly #server: Server;

  constructor(target: string) {
    this.#server = createServer(async (request, response) => {
      if (this.mode === "silent") return;
      if (this.mode === "cut") return void request.socket.destroy();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      try {
        const answer = await fetch(target, { method: "POST", body: Buffer.concat(chunks) });
        response.end(await answer.text());
      } catch {
        // The node is gone.
        request.socket.destroy();
      }
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("quarry, when its endpoint goes away", () => {
  const folder = temporaryFolder();
  let node: Node;
  let gate: Gate;
  let url: string;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET], { head: HEAD, advanceMs: 2_500 });
    gate = new Gate(node.url);
    url = await gate.open();
  });

  afterAll(async () => {
    gate.close();
    await node.stop();
    folder.remove();
  });

  async function status(api: Api, until: (chain: Status["chains"][number]) => boolean) {
    for (let tries = 0; tries < 400; tries++) {
      const [chain] = (await api.get<Status>("/v1/status")).chains;
      if (chain !== undefined && until(chain)) return chain;
      await sleep(100);
    }
    throw new Error(`the status never became so: ${JSON.stringify(await api.get("/v1/status"))}`);
  }

  async function readiness(api: Api): Promise<[number, string | undefined]> {
    const response = await fetch(`${api.url}/ready`);
    return [response.status, ((await response.json()) as { error?: string }).error];
  }

  /** Returns the value of the metric whose line starts with this text. */
  async function figure(api: Api, start: string): Promise<number> {
    const lines = (await (await fetch(`${api.url}/metrics`)).text()).split("\n");
    return Number(
      lines
        .find((line) => line.startsWith(start))
        ?.split(" ")
        .at(-1),
    );
  }

  it.each(["cut", "silent"] as const)(
    "keeps serving, reports it in status, readiness and metrics, and resumes when it is back: %s",
    async (mode) => {
      const data = `${folder.path}/${mode}`;
      const range = ["--from", String(FIRST), "--rpc-timeout", "8"];
      const running = startQuarry(["start", "--rpc", url, ...range, "--data", data, "--port", "0"]);
      const [, address = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
      const api = apiAt(address);
      const { indexed_block: before } = await status(api, (chain) => chain.indexed_block >= HEAD);
      expect(await readiness(api)).toEqual([200, undefined]);
      expect(await figure(api, "quarry_outage")).toBe(0);
      gate.mode = mode;
      const down = await status(api, (chain) => !chain.ready);
      const [code, sentence] = await readiness(api);
      expect([code, down.message]).toEqual([503, expect.stringContaining(url)]);
      expect(sentence).toContain(url);
      expect(sentence).toMatch(/ since .*up to block \d+ is still served\.$/);
      expect(await figure(api, "quarry_outage")).toBe(1);
      const [{ blocks } = { blocks: 0 }] = await api.sql<{ blocks: number }>(
        "SELECT COUNT(*) AS blocks FROM eth_blocks",
      );
      expect(blocks).toBeGreaterThan(before - FIRST);
      gate.mode = "open";
      const up = await status(api, (chain) => chain.ready && chain.message === null);
      expect(await readiness(api)).toEqual([200, undefined]);
      expect(up.endpoints).toMatchObject([{ url, failures: expect.any(Number) }]);
      // Waits until the hanging request times out.
      await status(api, ({ endpoints }) => (endpoints[0]?.failures ?? 0) > 0);
      await status(api, (chain) => chain.indexed_block === LAST);
      expect(await figure(api, "quarry_indexed_block")).toBe(LAST);
      expect(await figure(api, "quarry_committed_blocks_total")).toBe(LAST - FIRST + 1);
      const finished = await running.stop();
      expect(finished.code, finished.stderr).toBe(0);
    },
  );

  it.each(["SIGTERM", "SIGINT"] as const)(
    "ends at once on %s while the endpoint does not respond",
    async (signal) => {
      const args = ["--rpc", url, "--from", String(FIRST), "--data", `${folder.path}/${signal}`];
      const running = startQuarry(["index", ...args]);
      await running.printed(/endpoints are ready/);
      gate.mode = "silent";
      await sleep(500);
      const stoppedMs = Date.now();
      const { code, stderr } = await running.stop(signal);
      gate.mode = "open";
      expect(code, stderr).toBe(0);
      expect(Date.now() - stoppedMs).toBeLessThan(5_000);
    },
  );

  it("rejects a range that ends before it begins", async () => {
    const data = ["--data", `${folder.path}/b`];
    const given = await runQuarry(["index", "--rpc", url, "--from", "10", "--to", "5", ...data]);
    expect(given).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^quarry: --to 5 is before --from 10\. /),
    });
    const newest = await runQuarry(["index", "--rpc", url, "--to", "5", ...data]);
    expect(newest.stderr).toMatch(/--to 5 is before the newest day, which starts at block \d+/);
    expect(newest.code).toBe(2);
  });
});
