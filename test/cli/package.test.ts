import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { readLockfile, runtimePackages } from "../support/processes/lockfile.ts";
import { apiAt, ROOT, startProcess, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
const bin = join(folder.path, "bin/quarry.cjs");
const start = (...args: string[]) => startProcess(process.execPath, [bin, ...args]);
const installed = runtimePackages(readLockfile());

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, "scripts/build-explorer.mjs")]);
  execFileSync(process.execPath, [join(ROOT, "scripts/bundle.mjs"), join(folder.path, "dist")]);
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  for (const entry of ["package.json", ...files.filter((file) => !file.startsWith("dist/"))]) {
    cpSync(join(ROOT, entry), join(folder.path, entry), { recursive: true });
  }
  // Links only the package's dependencies.
  for (const path of installed.filter((path) => path.lastIndexOf("node_modules") === 0)) {
    if (!existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder.path, path));
  }
}, 300_000);

afterAll(() => folder.remove());

it("indexes and serves from the published files, without the sources", async () => {
  const { first, last } = bundleCounts(MAINNET);
  const node = await startReplayNode([MAINNET]);
  const data = join(folder.path, "data");
  const service = start("start", "--rpc", node.url, "--from", `${first}`, "--port", "0", "--data", data);
  try {
    const [, url = ""] = await service.printed(/serving on (http:\/\/[\w.:]+)/);
    const indexed = () => apiAt(url).get<{ chains: [{ indexed_block: number }] }>("/v1/status");
    await expect.poll(async () => (await indexed()).chains[0].indexed_block, { timeout: 60_000 }).toBe(last);
    expect(await (await fetch(url)).text()).toContain("<title>");
  } finally {
    expect((await service.stop("SIGINT")).code).toBe(0);
    await node.stop();
  }
});

it("does without the demo, and says where it is", async () => {
  const data = join(folder.path, "no-demo");
  const { code, stderr } = await start("demo", "--port", "0", "--data", data).finished;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^quarry: The demo is not installed\..* npm ci && npm start\n$/),
  ]);
  expect(existsSync(data)).toBe(false);
});

const COMPATIBLE = ["MIT", "Apache-2.0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"];

it("depends at run time only on packages whose licences an Apache-2.0 package can depend on", () => {
  const { packages } = readLockfile();
  const licences = installed
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => ({ path, licence: packages[path]?.license ?? "none" }));
  expect(licences.length).toBeGreaterThan(50);
  expect(licences.filter(({ licence }) => !COMPATIBLE.includes(licence))).toEqual([]);
});

it("publishes neither the demo, nor tests, nor files that only tests need", () => {
  expect(existsSync(join(folder.path, "dist/quarry.js"))).toBe(true);
  for (const left of ["src", "dist/test", "dist/devnet", "devnet"]) {
    expect(existsSync(join(folder.path, left)), left).toBe(false);
  }
});
