import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, expect, it } from "vitest";
import { ROOT, temporaryFolder } from "../support/processes/processes.ts";

/**
 * Holds a cache for each registry. In a shared cache, npm would find the advisories of earlier registries by
 * their ids.
 */
const folder = temporaryFolder();
afterAll(() => folder.remove());

let registry: Server;
afterEach(() => registry.close());

/** Runs the audit against a registry with these advisories, or, if they are null, one that offers none. */
async function audit(advisories: Record<string, object[]> | null) {
  registry = createServer((request, response) => {
    if (request.method === "POST" && advisories !== null) return response.end(JSON.stringify(advisories));
    return response.writeHead(request.method === "POST" ? 405 : 404).end();
  });
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
  const { port } = registry.address() as AddressInfo;
  const cache = join(folder.path, String(port));
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_fetch_retries: "0",
    npm_config_cache: cache,
  };
  const child = spawn(process.execPath, ["scripts/audit.mjs"], { cwd: ROOT, env });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { code, stdout };
}

const advisory = (severity: string) => ({
  ...{ id: 1, url: "https://example.org/advisory", title: "Reads too much", severity },
  ...{ vulnerable_versions: "*", cwe: [], cvss: { score: 9, vectorString: null } },
});

it.each(["high", "critical"])(
  "a package with a vulnerability of severity %s fails the audit",
  async (severity) => {
    const { code, stdout } = await audit({ fastify: [advisory(severity)] });
    expect(stdout).toContain(
      `fastify (node_modules/fastify): ${severity}: Reads too much (https://example.org/advisory)\n`,
    );
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^\d+ packages audited, [1-9]\d* with severe/m),
    ]);
  },
);

it("other vulnerabilities do not", async () => {
  for (const advisories of [{}, { fastify: [advisory("moderate")] }]) {
    const { code, stdout } = await audit(advisories);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d{3} packages audited, 0 with severe/)]);
    registry.close();
  }
});

it("a registry without advisories is named, and does not fail", async () => {
  const { code, stdout } = await audit(null);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^not audited: the registry does not answer with advisories \(405 /),
  ]);
});
