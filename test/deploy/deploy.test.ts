import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, normalize } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { health } from "../../src/api/endpoints/operations/health.ts";
import { EXIT_USAGE } from "../../src/cli/main.ts";
import { STOP_MS } from "../../src/cli/shutdown.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { ROOT, temporaryFolder } from "../support/processes/processes.ts";
import {
  DEPLOY,
  deployedFiles,
  dockerInstructions,
  headingsOf,
  imageInstructions,
  imageValue,
  imageVariables,
  readDeployed,
  readText,
} from "./support/deployment-files.ts";

const PAGE = "docs/deployment.md";
const { engines, bin } = JSON.parse(readText("package.json")) as {
  engines: { node: string };
  bin: { quarry: string };
};
const secondsOf = (text = "") => Number(/^(\d+)s?$/.exec(text)?.[1]);
const folder = temporaryFolder();
afterAll(() => folder.remove());

describe("the files of deploy/", () => {
  const files = deployedFiles();
  const isTemplate = (file: string) => file.includes("/templates/");

  it.each(files.filter((file) => /\.(ya?ml|json)$/.test(file) && !isTemplate(file)))(
    "%s can be parsed",
    (file) => {
      const text = readFileSync(join(DEPLOY, file), "utf8");
      if (file.endsWith(".json")) JSON.parse(text);
      expect(parseAllDocuments(text).flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    },
  );

  it("name only settings that exist", () => {
    const known = new Set(Object.values(SETTINGS).map(({ env }) => env));
    const texts = [...files.map((file) => join("deploy", file)), PAGE].map(readText);
    const named = texts.flatMap((text) => text.match(/\bQUARRY_[A-Z_]*[A-Z]\b/g) ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it("name only flags that exist, where they name Quarry's", () => {
    const known = new Set(Object.values(SETTINGS).map(({ flag }) => flag.split(" ")[0]));
    const about = files.filter((file) => /^(prometheus|grafana|quarry\.service|quarry\.env|helm)/.test(file));
    const named = about
      .filter((file) => !file.endsWith("NOTES.txt"))
      .flatMap((file) => readText(join("deploy", file)).match(/(?<![\w-])--[a-z][a-z-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });

  it("are not published with the package", () => {
    const { files: published } = JSON.parse(readText("package.json")) as { files: string[] };
    expect(published.filter((entry) => entry.startsWith("deploy"))).toEqual([]);
  });
});

/** `quarry` is not on the PATH of the image. */
it("the guides run Quarry in its container by its path in the image", () => {
  const text = ["deployment.md", "operations.md", "backup.md"]
    .map((page) => readText(`docs/${page}`))
    .join("\n");
  const commands = [...text.matchAll(/docker\s+compose\s+exec\s+(?:-T\s+)?quarry\s+(\S+)\s+(\S+)/g)];
  expect(commands.length).toBeGreaterThan(3);
  for (const [, program, file] of commands)
    expect([program, file]).toEqual(["node", expect.stringMatching(/^(bin\/quarry\.cjs|-e)$/)]);
});

describe("the image", () => {
  const variables = imageVariables();

  it("is based on a version of Node.js on which Quarry runs", () => {
    const [, image = ""] = dockerInstructions().find(([, value]) => value.startsWith("NODE_IMAGE=")) ?? [];
    const [, major, minor] = /^NODE_IMAGE=node:(\d+)\.(\d+)-bookworm-slim$/.exec(image) ?? [];
    const [, oldestMajor, oldestMinor] = /^>=(\d+)\.(\d+)$/.exec(engines.node) ?? [];
    const version = (one?: string, two?: string) => Number(one) * 1000 + Number(two);
    expect(version(major, minor)).toBeGreaterThanOrEqual(version(oldestMajor, oldestMinor));
    const stages = dockerInstructions().filter(([name]) => name === "FROM");
    expect(stages.map(([, value]) => value.split(" ")[0])).toEqual(stages.map(() => "$" + "{NODE_IMAGE}"));
  });

  it("runs as a user of its own, which owns the data directory", () => {
    expect(imageValue("USER")).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    const [uid] = imageValue("USER").split(":");
    expect(imageValue("RUN")).toContain(`--uid ${uid} `);
    expect(imageValue("VOLUME")).toBe(variables.QUARRY_DATA);
    expect(imageValue("RUN")).toContain(`install -d -o quarry -g quarry -m 0750 ${variables.QUARRY_DATA}`);
  });

  it("starts Quarry without a shell, as a child of process 1", () => {
    const entry = JSON.parse(imageValue("ENTRYPOINT")) as string[];
    expect(entry).toEqual(["tini", "--", "node", bin.quarry]);
    expect(JSON.parse(imageValue("CMD"))).toEqual(["start"]);
  });

  it("listens where other containers can reach it, on the port that it exposes", () => {
    expect(variables.QUARRY_PORT).toBe(String(SETTINGS.port.schema.parse(undefined)));
    expect(imageValue("EXPOSE")).toBe(variables.QUARRY_PORT);
    expect(variables.QUARRY_HOST).toBe("0.0.0.0");
  });

  it("contains the bundle and no sources: with sources, the command would bundle them at the start", () => {
    const copied = imageInstructions()
      .filter(([name]) => name === "COPY")
      .flatMap(([, value]) =>
        value
          .split(" ")
          .filter((part) => !part.startsWith("--"))
          .slice(0, -1),
      );
    expect(copied.map((path) => path.replace("/quarry/", "")).sort()).toEqual([
      "LICENSE",
      "bin",
      "dist",
      "explorer/dist",
      "node_modules",
      "package.json",
    ]);
  });

  it("is built from files that exist and that .dockerignore lets through", () => {
    const admitted = readText(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    const sources = dockerInstructions()
      .filter(([name, value]) => name === "COPY" && !value.startsWith("--from"))
      .flatMap(([, value]) => value.split(" ").slice(0, -1))
      .filter((path) => path !== ".");
    const isAdmitted = (path: string) => admitted.some((one) => path === one || path.startsWith(`${one}/`));
    expect(admitted.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(sources.filter((path) => !isAdmitted(path))).toEqual([]);
  });

  it.each([200, 503])("has a health check that notices a response with %d", async (status) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === health.path ? status : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const [, command = "[]"] = /CMD (\[.*\])$/.exec(imageValue("HEALTHCHECK")) ?? [];
    const [node, ...args] = JSON.parse(command) as string[];
    expect(node).toBe("node");
    const check = spawn(process.execPath, args, { env: { QUARRY_PORT: String(port) } });
    expect(await new Promise((resolve) => check.once("exit", resolve))).toBe(status === 200 ? 0 : 1);
    server.close();
  });
});

interface ComposeService {
  env_file?: string;
  ports: string[];
  volumes: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period?: string;
  build?: { context: string; dockerfile: string };
}

describe("compose.yaml", () => {
  const { services, volumes } = readDeployed<{
    services: Record<string, ComposeService>;
    volumes: Record<string, unknown>;
  }>("compose.yaml");
  const { quarry } = services as { quarry: ComposeService };

  it("gives each service no rights and a read-only file system, and no port to other machines", () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
      expect(service.security_opt).toEqual(["no-new-privileges:true"]);
      expect(service.ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
    }
  });

  it("maps the port, the data and the temporary files of the image", () => {
    const { QUARRY_PORT, QUARRY_DATA } = imageVariables();
    expect(quarry.ports).toEqual([`127.0.0.1:${QUARRY_PORT}:${QUARRY_PORT}`]);
    expect(quarry.volumes.map((volume) => volume.split(":")[1])).toEqual([QUARRY_DATA, "/tmp"]);
  });

  it("waits for longer than Quarry takes to stop", () => {
    expect(secondsOf(quarry.stop_grace_period) * 1000).toBeGreaterThan(STOP_MS);
  });

  it("mounts volumes that it declares, and files that exist", () => {
    const mounted = Object.values(services).flatMap((one) =>
      one.volumes.map((volume) => volume.split(":")[0] ?? ""),
    );
    const isFile = (path: string) => path.startsWith(".");
    expect(mounted.filter((path) => !isFile(path)).sort()).toEqual(Object.keys(volumes).sort());
    expect(mounted.filter(isFile).filter((path) => !existsSync(join(DEPLOY, path)))).toEqual([]);
    expect(existsSync(join(DEPLOY, quarry.build?.context ?? "", quarry.build?.dockerfile ?? ""))).toBe(true);
    expect(existsSync(join(DEPLOY, `${quarry.env_file}.example`))).toBe(true);
  });

  it("does not let git see the file with the secrets", () => {
    const ignored = execFileSync("git", ["check-ignore", `deploy/${quarry.env_file}`], { cwd: ROOT });
    expect(String(ignored).trim()).toBe(`deploy/${quarry.env_file}`);
  });
});

describe("quarry.service", () => {
  const text = readText("deploy/quarry.service");
  const settingOf = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1];

  it("starts the command, but not again with an invalid configuration", () => {
    expect(settingOf("ExecStart")).toBe(`/usr/bin/node ${bin.quarry} start`);
    expect(settingOf("Restart")).toBe("on-failure");
    expect(settingOf("RestartPreventExitStatus")).toBe(String(EXIT_USAGE));
  });

  it("waits for longer than Quarry takes to stop", () => {
    expect(secondsOf(settingOf("TimeoutStopSec")) * 1000).toBeGreaterThan(STOP_MS);
  });

  it("lets it write only its data and its temporary files", () => {
    expect(settingOf("ProtectSystem")).toBe("strict");
    expect(text).toContain(`QUARRY_DATA=/var/lib/${settingOf("StateDirectory")}\n`);
    expect(text).toContain(`TMPDIR=/var/cache/${settingOf("CacheDirectory")}\n`);
    expect(text).not.toMatch(/^(MemoryDenyWriteExecute|ReadWritePaths)=/m);
  });

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it.skipIf(!hasSystemd)("is valid for systemd", () => {
    const unit = join(folder.path, "quarry.service");
    // The check requires the program to exist.
    writeFileSync(unit, text.replace("/usr/bin/node", process.execPath));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
    expect([status, stderr.trim()]).toEqual([0, ""]);
  });
});

it("docs/deployment.md links to pages and headings that exist", () => {
  const links = [...readText(PAGE).matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)].map(
    ([, path = "", heading]) => ({
      path: path === "" ? PAGE : normalize(join(dirname(PAGE), path)),
      heading,
    }),
  );
  expect(links.length).toBeGreaterThan(5);
  const broken = links.filter(
    ({ path, heading }) =>
      !existsSync(join(ROOT, path)) || (heading !== undefined && !headingsOf(path).includes(heading)),
  );
  expect(broken).toEqual([]);
});
