import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, type Running, startQuarry, temporaryFolder } from "../support/processes/processes.ts";
import { Collector, type ReceivedSpan } from "./support/collector.ts";

const { first, last } = bundleCounts(MAINNET);

const API_KEY = "plantedApiKey4477aa";
const SECRETS = [
  API_KEY,
  "plantedPathKey55de",
  "plantedLiteral31cd",
  "plantedAlias77be",
  "plantedUnknown20ff",
  "plantedState64ac",
  "plantedPath88ed",
];
const [, PATH_KEY, LITERAL, ALIAS, UNKNOWN, STATE, PATH] = SECRETS;

/** A client's own trace. */
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

const QUICK_EXPORT = { OTEL_BSP_SCHEDULE_DELAY: "100" };
const UNCACHED = ["--port", "0", "--serving-memory", "0", "--sql-cache-memory", "0"];

async function serving(
  args: string[],
  env: Record<string, string>,
): Promise<{ running: Running; url: string }> {
  const running = startQuarry([...args, ...UNCACHED], { ...QUICK_EXPORT, ...env });
  const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
  return { running, url };
}

function ask(url: string, query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/sql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${API_KEY}`, ...headers },
    body: JSON.stringify({ query }),
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

describe("traces", () => {
  const folder = temporaryFolder();
  let node: Node;
  let collector: Collector;
  let running: Running;
  let url: string;

  beforeAll(async () => {
    [node, collector] = await Promise.all([startReplayNode([MAINNET]), Collector.start()]);
    const args = ["start", "--rpc", `${node.url}/v3/${PATH_KEY}`, "--data", folder.path, "--keys", API_KEY];
    const range = ["--from", String(first), "--batch-blocks", "2"];
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=one",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    };
    ({ running, url } = await serving([...args, ...range], env));
  });
  afterAll(async () => {
    await running?.stop();
    await Promise.all([node?.stop(), collector?.stop()]);
    folder.remove();
  });

  const batches = () => collector.spans.filter(({ name }) => name === "index blocks");
  const indexedBlocks = () => batches().reduce((sum, { facts }) => sum + Number(facts["quarry.blocks"]), 0);

  async function spanOf(response: Response): Promise<ReceivedSpan> {
    const id = response.headers.get("x-request-id");
    const find = () => collector.spans.find(({ facts }) => facts["quarry.request_id"] === id);
    await expect.poll(find, { timeout: 10_000 }).toBeDefined();
    return find() as ReceivedSpan;
  }

  it("show each commit, with its blocks and rows, from the preparation to the commit", async () => {
    await expect.poll(() => indexedBlocks(), { timeout: 60_000 }).toBe(last - first + 1);
    for (const batch of batches()) {
      expect(batch).toMatchObject({ parentId: null, isFailed: false, facts: { "quarry.chain": "eth" } });
      expect(batch.facts["quarry.rows"]).toBeGreaterThan(100);
      const parts = collector.childrenOf(batch);
      expect(parts.map(({ name }) => name).filter((name) => name !== "write the price summary")).toEqual([
        "prepare rows",
        "insert rows",
        "commit",
      ]);
      for (const part of parts) {
        expect(part.startNs >= batch.startNs && part.endNs <= batch.endNs).toBe(true);
      }
      const inserts = parts
        .filter(({ name }) => name === "insert rows")
        .flatMap((part) => collector.childrenOf(part));
      const tables = inserts.map(({ facts }) => facts["db.collection.name"]);
      expect(tables).toEqual(expect.arrayContaining(["eth_blocks", "eth_logs"]));
    }
    const calls = collector.spans.filter(({ name }) => name === "eth_call");
    expect(calls[0]?.facts).toMatchObject({
      "rpc.method": "eth_call",
      "quarry.endpoint": expect.stringMatching(/\*\*\*/),
    });
  });

  it("follow a request through the compiler to the engine, as part of the client's trace", async () => {
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    const query = `SELECT COUNT(*) AS ${ALIAS} FROM eth_logs WHERE CAST(address AS VARCHAR) <> '${LITERAL}'`;
    const response = await ask(url, query, { traceparent, tracestate: `vendor=${STATE}` });
    expect(response.status, await response.text()).toBe(200);
    const span = await spanOf(response);
    expect(span).toMatchObject({
      name: "POST /v1/sql",
      kind: 2,
      traceId: TRACE,
      parentId: SPAN,
      traceState: "",
      isFailed: false,
      facts: {
        "http.request.method": "POST",
        "http.route": "/v1/sql",
        "http.response.status_code": 200,
        "quarry.query": expect.stringMatching(/^[0-9a-f]{12}$/),
      },
      resource: { "service.name": "quarry", "deployment.environment.name": "test" },
    });
    const parts = collector.childrenOf(span);
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(["compile SQL", "SELECT"]));
    const statement = parts.find(({ facts }) => facts["db.response.returned_rows"] === 1);
    expect(statement).toMatchObject({
      kind: 3,
      facts: {
        "db.system.name": "clickhouse",
        "db.operation.name": "SELECT",
        "quarry.statement": expect.stringMatching(/^[0-9a-f]{12}$/),
      },
    });
    const { requests } = collector;
    expect(requests[0]).toMatchObject({ url: "/v1/traces", headers: { "x-tenant": "one" } });
  });

  it("show the wait in the queue", async () => {
    const slow = (i: number) =>
      `SELECT COUNT(*) AS n FROM eth_logs WHERE REPEAT(CAST(transaction_hash AS VARCHAR), ${50 + i}) LIKE '%zz%'`;
    const responses = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(url, slow(i))));
    for (const response of responses) await spanOf(response);
    const waits = collector.spans.filter(({ name }) => name === "wait in the queue");
    expect(waits.length).toBeGreaterThan(0);
    const ofRequests = await Promise.all(responses.map(spanOf));
    const ids = new Set(ofRequests.map(({ id }) => id));
    for (const { parentId } of waits) expect(ids).toContain(parentId);
    for (const span of ofRequests) {
      const engine = collector.childrenOf(span).filter(({ kind }) => kind === 3);
      expect(engine.length).toBeGreaterThan(0);
    }
  });

  it("report only the kind of a failure", async () => {
    const rejected = await ask(url, `SELECT ${UNKNOWN} FROM eth_logs`);
    expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining(UNKNOWN ?? "")]);
    const span = await spanOf(rejected);
    expect(span).toMatchObject({ isFailed: false, facts: { "http.response.status_code": 400 } });
    expect(collector.childrenOf(span)).toMatchObject([
      { name: "compile SQL", isFailed: true, events: 0, facts: { "error.type": "bad-input" } },
    ]);
  });

  it("have no secrets, and no text of a client", async () => {
    const key = { authorization: `Bearer ${API_KEY}` };
    const paths = [`/v1/${PATH}`, `/v1/prices?token=${PATH}`, `/v1/search?query=${PATH}&key=${API_KEY}`];
    const responses = await Promise.all(paths.map((path) => fetch(url + path, { headers: key })));
    for (const response of responses) await spanOf(response);
    expect(collector.text).toContain("/v1/search");
    for (const secret of SECRETS) expect(collector.text).not.toContain(secret);
    expect(collector.spans.map(({ name }) => name)).not.toContain("GET /ready");
  });

  it("come from each worker process, whose spans are sent before it ends", async () => {
    const { stderr } = await running.stop();
    expect(stderr).not.toContain("MaxListeners");
    const before = collector.spans.length;
    const late = { OTEL_BSP_SCHEDULE_DELAY: "60000" };
    const args = ["serve", "--data", folder.path, "--workers", "2", "--otlp-endpoint", `${collector.url}/`];
    const service = await serving(args, late);
    for (let i = 0; i < 8; i++) {
      // Node passes new connections to the workers in turn.
      const response = await ask(service.url, "SELECT COUNT(*) AS n FROM eth_blocks", {
        connection: "close",
      });
      expect(response.status).toBe(200);
      await response.text();
    }
    expect(collector.spans.length).toBe(before);
    expect((await service.running.stop()).code).toBe(0);
    const spans = collector.spans.slice(before);
    const requests = spans.filter(({ name }) => name === "POST /v1/sql");
    expect(requests.length).toBe(8);
    expect(new Set(requests.map(({ resource }) => resource["process.pid"])).size).toBe(2);
    for (const request of requests) {
      const names = collector.childrenOf(request).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["wait in the queue", "compile SQL", "SELECT"]));
    }
  });

  it("can be sampled with the standard variables", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: "parentbased_always_off" };
    const service = await serving(["serve", "--data", folder.path], env);
    const before = collector.spans.length;
    const count = "SELECT COUNT(*) AS n FROM eth_blocks";
    for (const flags of ["00", "01"]) {
      const traceparent = `00-${TRACE}-${SPAN}-${flags}`;
      await (await ask(service.url, count, { traceparent })).text();
      await (await ask(service.url, count)).text();
    }
    await service.running.stop();
    const requests = collector.spans.slice(before).filter(({ kind }) => kind === 2);
    expect(requests.map(({ traceId }) => traceId)).toEqual([TRACE]);
  });

  it("are off without a collector's address, and with the standard switches", async () => {
    const at = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const before = collector.requests.length;
    for (const env of [{}, { ...at, OTEL_SDK_DISABLED: "true" }, { ...at, OTEL_TRACES_EXPORTER: "none" }]) {
      const service = await serving(["serve", "--data", folder.path], env);
      await (await ask(service.url, "SELECT COUNT(*) AS n FROM eth_blocks")).text();
      const { code, stderr } = await service.running.stop();
      expect(code).toBe(0);
      expect(stderr).not.toContain("traces");
    }
    expect(collector.requests.length).toBe(before);
  });

  it.each(["gone", "silent", "refuse"] as const)(
    "have no effect on requests while the collector is %s",
    async (fault) => {
      const faulty = await Collector.start();
      if (fault === "gone") await faulty.stop();
      else faulty.mode = fault;
      const env = {
        OTEL_EXPORTER_OTLP_ENDPOINT: fault === "gone" ? "http://127.0.0.1:9" : faulty.url,
        OTEL_EXPORTER_OTLP_TIMEOUT: "300",
        OTEL_BSP_MAX_QUEUE_SIZE: "20",
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10",
      };
      const service = await serving(["serve", "--data", folder.path], env);
      for (let i = 0; i < 100; i++) {
        const response = await ask(service.url, "SELECT COUNT(*) AS n FROM eth_blocks");
        expect(response.status).toBe(200);
        await response.text();
      }
      await service.running.printed(/does not accept spans/);
      await sleep(1_500);
      if (fault !== "gone") {
        faulty.mode = "accept";
        await expect
          .poll(
            async () => {
              await (await ask(service.url, "SELECT COUNT(*) AS n FROM eth_blocks")).text();
              return faulty.spans.length;
            },
            { timeout: 20_000 },
          )
          .toBeGreaterThan(0);
        await service.running.printed(/accepts spans again/);
        faulty.mode = fault;
        await (await ask(service.url, "SELECT COUNT(*) AS n FROM eth_blocks")).text();
      }
      const stopMs = await timed(() => service.running.stop());
      expect(stopMs).toBeLessThan(6_000);
      const { code, stderr } = await service.running.finished;
      expect(code).toBe(0);
      const failures = stderr.match(/does not accept spans/g) ?? [];
      expect(failures.length).toBeLessThanOrEqual(fault === "gone" ? 1 : 2);
      if (fault !== "gone") await faulty.stop();
    },
  );

  it.each(["1", "2"])(
    "do not delay the end while the collector is silent, with --workers %s",
    async (workers) => {
      const silent = await Collector.start();
      silent.mode = "silent";
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: silent.url };
      const service = await serving(["serve", "--data", folder.path, "--workers", workers], env);
      await (await ask(service.url, "SELECT COUNT(*) AS n FROM eth_blocks")).text();
      await expect.poll(() => silent.requests.length, { timeout: 5_000 }).toBeGreaterThan(0);
      // Without a limit of our own, the exporter would wait for ten seconds.
      expect(await timed(() => service.running.stop())).toBeLessThan(6_000);
      const { code, stderr } = await service.running.finished;
      expect([code, stderr]).toEqual([0, expect.stringContaining("the last spans were not sent in time")]);
      await silent.stop();
    },
  );

  it("need an address that is one", async () => {
    const bad = startQuarry([
      "serve",
      "--data",
      folder.path,
      "--otlp-endpoint",
      `localhost:4318/${PATH_KEY}`,
    ]);
    const { code, stderr } = await bad.finished;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--otlp-endpoint: its value is not allowed/)]);
    expect(stderr).not.toContain(PATH_KEY);
  });
});
