import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { serverAddresses } from "../../src/cli/server-addresses.ts";
import { DEPLOY, readText } from "./support/deployment-files.ts";

interface Service {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  profiles?: string[];
}

interface Compose {
  services: Record<string, Service>;
  configs: { quarry: { content: string } };
  volumes: Record<string, null>;
}

const { services, configs, volumes } = parse(readText("deploy/cluster/compose.yaml"), {
  merge: true,
}) as Compose;
const cluster = readText("deploy/cluster/clickhouse/cluster.xml");
const verify = readText("deploy/verify.sh");

/** Hosts of each shard, as the servers know them. */
const shards = [...cluster.matchAll(/<shard>(?:(?!from_env)[\s\S])*?<\/shard>/g)].map(([shard]) =>
  [...shard.matchAll(/<host>([\w-]+)<\/host>/g)].map(([, host = ""]) => host),
);

/** Fills in the variables of the file, as Compose does. */
function filled(text: string): string {
  const values: Record<string, string> = { CLICKHOUSE_PASSWORD: "secret", CHAIN_1: "eth", CHAIN_2: "base" };
  return text.replaceAll(/\$\{(\w+)(?::-\w+)?\}/g, (_, name: string) => values[name] ?? "");
}

const hostsIn = (urls: string) => serverAddresses(urls, {}).map(({ url }) => new URL(url).hostname);

describe("the files of deploy/cluster", () => {
  it("have two shards of two replicas, and a service with its own volume for each", () => {
    expect(shards.map((hosts) => hosts.length)).toEqual([2, 2]);
    for (const [i, hosts] of shards.entries()) {
      for (const [k, host] of hosts.entries()) {
        expect(services[host]?.environment).toMatchObject({
          HOSTNAME: host,
          SHARD: String(i + 1),
          REPLICA: String(k + 1),
        });
        expect(services[host]?.volumes).toContain(`${host}:/var/lib/clickhouse`);
        expect(Object.keys(volumes)).toContain(host);
      }
    }
  });

  it("run the same version of ClickHouse everywhere", () => {
    const images = Object.values(services).flatMap(({ image = "" }) => (image === "quarry" ? [] : [image]));
    expect(new Set(images.map((image) => image.split(":")[1])).size).toBe(1);
    expect(images).toHaveLength(6);
  });

  it("give each indexer all replicas of its shard, and the API those of all shards", () => {
    for (const [i, hosts] of shards.entries()) {
      const { command, environment } = services[`indexer-${i + 1}`] ?? {};
      expect(command).toEqual(expect.arrayContaining(["index", "--cluster", "quarry"]));
      expect(hostsIn(filled(environment?.QUARRY_CLICKHOUSE ?? ""))).toEqual(hosts);
    }
    const { chains } = JSON.parse(filled(configs.quarry.content)) as {
      chains: Record<string, { clickhouse: string }>;
    };
    expect(Object.keys(chains)).toEqual(["eth", "base"]);
    expect(Object.values(chains).map(({ clickhouse }) => hostsIn(clickhouse))).toEqual(shards);
  });

  it("buffer the answers of the API on disk, because a tmpfs counts towards the memory limit", () => {
    expect(services.api).toMatchObject({ tmpfs: [], volumes: ["temporary:/tmp"] });
    expect(Object.keys(volumes)).toContain("temporary");
  });

  it("name the cluster that the indexers create the database on", () => {
    expect(cluster).toMatch(/<remote_servers>\s*<quarry>/);
  });
});

describe("deploy/verify.sh", () => {
  it("is a valid script that kills every node", () => {
    execFileSync("bash", ["-n", join(DEPLOY, "verify.sh")]);
    const [, nodes = ""] = /^NODES=\((.*)\)$/m.exec(verify) ?? [];
    expect(nodes.split(" ")).toEqual([...shards.flat(), "keeper"]);
  });

  const hasShellcheck = spawnSync("shellcheck", ["--version"]).status === 0;
  it.skipIf(!hasShellcheck)("has no faults that shellcheck finds", () => {
    const { status, stdout } = spawnSync("shellcheck", [join(DEPLOY, "verify.sh")], { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });

  it("uses services that exist", () => {
    for (const name of ["api", "alone", "indexer-1", "indexer-2"]) {
      expect(services).toHaveProperty(name);
      expect(verify).toContain(name);
    }
    expect(services.alone?.profiles).toEqual(["verify"]);
  });
});
