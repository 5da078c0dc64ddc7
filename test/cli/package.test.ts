import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT, startProcess, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
const bin = join(folder.path, "bin/quarry.cjs");

beforeAll(() => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const project = ["-p", "tsconfig.build.json", "--outDir", join(folder.path, "dist")];
  execFileSync(process.execPath, [compiler, ...project], { cwd: ROOT });
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  for (const entry of ["package.json", ...files.filter((file) => file !== "dist")]) {
    cpSync(join(ROOT, entry), join(folder.path, entry), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
}, 120_000);

afterAll(() => folder.remove());

it("runs the demo from the published files, without the sources", async () => {
  const args = ["demo", "--days", "0.05", "--port", "0", "--data", join(folder.path, "data")];
  const demo = startProcess(process.execPath, [bin, ...args]);
  await demo.printed(/Quarry is live on/);
  expect(await demo.stop("SIGINT")).toMatchObject({ code: 0, stderr: "" });
});

it("publishes neither tests nor their support files", () => {
  expect(existsSync(join(folder.path, "src"))).toBe(false);
  expect(existsSync(join(folder.path, "dist/test"))).toBe(false);
  expect(existsSync(join(folder.path, "dist/devnet/contracts/compile.js"))).toBe(false);
});
