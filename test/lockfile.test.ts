import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLockfile, resolvedPath } from "./support/processes/lockfile.ts";
import { ROOT, temporaryFolder } from "./support/processes/processes.ts";

const REMEDY = "`npm install` cannot look up the packages of all platforms; run `npm run lockfile`";

describe("package-lock.json", () => {
  const { packages } = readLockfile();

  it("has a checksum of each package, except those that docs/dependencies.md names", () => {
    const unchecked = Object.entries(packages)
      .filter(([path, { link, integrity }]) => path.includes("node_modules/") && !link && !integrity)
      .map(([path]) => path.replace("node_modules/", ""));
    expect(unchecked, REMEDY).toEqual([
      "@chdb/lib-darwin-arm64",
      "@chdb/lib-darwin-x64",
      "@chdb/lib-linux-arm64-gnu",
    ]);
    const page = readFileSync(join(ROOT, "docs/dependencies.md"), "utf8");
    for (const name of unchecked) expect(page).toContain(`\`${name}\``);
  });

  it("has the packages of every platform", () => {
    const named = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies).map(([name, version]) => ({ path, name, version })),
    );
    const lost = named.filter(({ path, name, version }) => {
      const found = packages[resolvedPath(packages, path, name) ?? ""];
      return found === undefined || (/^\d/.test(version) && found.version !== version);
    });
    expect(named.length).toBeGreaterThan(50);
    expect(lost, REMEDY).toEqual([]);
  });
});

describe("npm run lockfile", () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "package-lock.json");
  afterAll(() => folder.remove());

  const host = {
    version: "1.0.0",
    integrity: "sha512-host",
    optionalDependencies: { a: "1.0.0", b: "1.0.0" },
  };
  const write = (packages: object) =>
    writeFileSync(file, JSON.stringify({ lockfileVersion: 3, packages: { "": { name: "x" }, ...packages } }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path });

  /** Runs the script with a registry that knows only the package `a`. */
  function run() {
    const npm = join(folder.path, "npm");
    const answer = JSON.stringify({ "dist.integrity": "sha512-a", os: ["darwin"], name: "a" });
    const unknown = "echo 'npm error code E404' >&2; exit 1";
    writeFileSync(npm, `#!/bin/sh\ncase $2 in a@1.0.0) echo '${answer}';; *) ${unknown};; esac\n`);
    chmodSync(npm, 0o755);
    const env = { ...process.env, PATH: `${folder.path}${delimiter}${process.env.PATH}` };
    const script = join(ROOT, "scripts/complete-lockfile.mjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
      cwd: folder.path,
      env,
      encoding: "utf8",
    });
    const { packages } = JSON.parse(readFileSync(file, "utf8"));
    return { status, stdout, stderr, packages };
  }

  it("restores what npm dropped, fills in checksums, and names those that it cannot get", () => {
    write({
      "node_modules/a": { version: "1.0.0" },
      "node_modules/b": { version: "1.0.0" },
      "node_modules/host": host,
    });
    git("init", "--quiet");
    git("add", "package-lock.json");
    git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet", "-m", "lock");
    write({ "node_modules/host": host });
    const { status, stdout, stderr, packages } = run();
    expect([status, stdout, stderr]).toEqual([
      1,
      "1 of 2 missing checksums filled in\n",
      "no checksum  b@1.0.0: E404\n",
    ]);
    expect(Object.keys(packages)).toEqual(["", "node_modules/a", "node_modules/b", "node_modules/host"]);
    expect(packages["node_modules/a"]).toEqual({ version: "1.0.0", integrity: "sha512-a", os: ["darwin"] });
  });

  it("names packages that the committed lockfile also lacks, and succeeds with nothing to do", () => {
    write({ "node_modules/host": { ...host, optionalDependencies: { c: "2.0.0" } } });
    const lost = run();
    expect([lost.status, lost.stderr]).toEqual([1, "no entry     c@2.0.0, an optional dependency of host\n"]);
    write({ "node_modules/host": { version: "1.0.0", integrity: "sha512-host" } });
    expect(run()).toMatchObject({ status: 0, stderr: "" });
  });
});
