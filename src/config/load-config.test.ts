import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig, mistypedVariables } from "./load-config.ts";

const folder = mkdtempSync(join(tmpdir(), "quarry-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, content);
  return path;
}

describe("loadConfig", () => {
  it("prefers flags to the environment, the environment to the file, and the file to defaults", () => {
    const file = fileWith('{"port": 1, "host": "file", "data": "file"}');
    const env = { QUARRY_PORT: "2", QUARRY_HOST: "env", QUARRY_DATA: "" };
    const { settings } = loadConfig(["port", "host", "data", "chain"], { flags: { port: "3" }, env, file });
    expect(settings).toEqual({ port: 3, host: "env", data: "file", chain: "eth" });
  });

  it("prefers a typed --data to a server from the environment or the file, and rejects both flags", () => {
    const server = "http://a:8123";
    const file = fileWith(JSON.stringify({ clickhouse: server }));
    const load = (flags: Record<string, string>, env: Record<string, string> = {}) =>
      loadConfig(["clickhouse", "data", "chain"], { flags, env, file }).settings;
    expect(load({})).toMatchObject({ clickhouse: server });
    expect(load({ data: "typed" })).toEqual({ data: "typed", chain: "eth" });
    expect(load({ data: "typed" }, { QUARRY_CLICKHOUSE: server })).toEqual({ data: "typed", chain: "eth" });
    expect(load({}, { QUARRY_DATA: "env" })).toMatchObject({ clickhouse: server });
    expect(load({ clickhouse: "http://b:8123" }, { QUARRY_DATA: "env" }).clickhouse).toBe("http://b:8123");
    expect(() => load({ data: "typed", clickhouse: server })).toThrow(
      "--data and --clickhouse name two stores",
    );
  });

  it("accepts defaults of a command", () => {
    const sources = { flags: {}, env: {}, file: fileWith("{}"), defaults: { logLevel: "warn" } };
    expect(loadConfig(["logLevel"], sources).settings.logLevel).toBe("warn");
  });

  it("reads lists and switches from text", () => {
    const env = { QUARRY_RPC: "http://a, http://b", QUARRY_VERIFY: "false" };
    const { settings } = loadConfig(["rpc", "verify"], { flags: {}, env, file: fileWith("{}") });
    expect(settings).toEqual({ rpc: ["http://a", "http://b"], verify: false });
  });

  it.each([
    [{ port: "70000" }, {}, "{}", /--port: "70000" is not allowed.*port of the API/],
    [{}, { QUARRY_PORT: "x" }, "{}", /QUARRY_PORT: "x" is not allowed/],
    [{}, {}, '{"port": -1}', /"port" in .*json: -1 is not allowed/],
    [{ port: "" }, {}, "{}", /--port: "" is not allowed/],
    [{}, { QUARRY_PORT: " " }, "{}", /QUARRY_PORT: " " is not allowed/],
    [{}, {}, '{"port": null}', /"port" in .*json: null is not allowed/],
    [{}, {}, '{"port": true}', /"port" in .*json: true is not allowed/],
    [{}, {}, '{"port": [80]}', /"port" in .*json: \[80\] is not allowed/],
    [{}, {}, '{"toString": 1}', /unknown key "toString"/],
    [{}, {}, '{"prot": 1}', /unknown key "prot"; did you mean "port"\? Known keys: chains, data/],
    [{}, {}, '{"query_time": 1}', /unknown key "query_time"; did you mean "queryTime"\?/],
    [{}, {}, '{"colour": 1}', /unknown key "colour"\. Known keys: chains, data/],
    [{}, {}, "{", /is not valid JSON/],
    [{}, {}, "[]", /must contain one JSON object/],
    [{}, {}, '{"chains": {"eth": {"chainId": "one"}}}', /chains\.eth\.chainId/],
  ])("refuses %j %j %s", (flags, env, content, message) => {
    const sources = { flags, env, file: fileWith(content) };
    expect(() => loadConfig(["port"], sources)).toThrow(message);
  });

  it("accepts names and addresses of hosts, and refuses values that a Host header cannot have", () => {
    const load = (hosts: string) =>
      loadConfig(["allowedHosts"], { flags: { allowedHosts: hosts }, env: {}, file: fileWith("{}") });
    const allowed = ["quarry.example.org", "my_service", "192.0.2.1", "::1", "[::1]"];
    expect(load(allowed.join(", ")).settings.allowedHosts).toEqual(allowed);
    for (const refused of ["https://a.example", "a.example:80", "a.example/x", "a b", "*.example", "a,,b"]) {
      expect(() => load(refused), refused).toThrow(/--allowed-hosts: .* is not allowed/);
    }
    expect(() => load("b.example,https://a.example")).toThrow(
      "Give one or more values, separated by commas, which must be names or addresses, without http://, port",
    );
  });

  it("accepts proxies by address, range or name, and refuses anything else", () => {
    const load = (proxies: string) =>
      loadConfig(["trustProxy"], { flags: { trustProxy: proxies }, env: {}, file: fileWith("{}") });
    const allowed = ["loopback", "10.0.0.0/8", "192.0.2.1", "::1", "2001:db8::/32"];
    expect(load(allowed.join(",")).settings.trustProxy).toEqual(allowed);
    for (const refused of ["", "true", "*", "example.org", "0.0.0.0/0", "10.0.0.0/33", "1", "::1/129"]) {
      expect(() => load(refused), refused).toThrow(
        /--trust-proxy.*not allowed.*ranges such as 10\.0\.0\.0\/8/,
      );
    }
  });

  it.each(["x", "short", "a-key-of-many-characters,short"])(
    "refuses keys that can be guessed: %s",
    (keys) => {
      const sources = { flags: { keys }, env: {}, file: fileWith("{}") };
      expect(() => loadConfig(["keys"], sources)).toThrow(
        "--keys: its value is not allowed. Give one or more values of at least 16 characters, separated by commas",
      );
    },
  );

  it("says which setting is missing and how to give it", () => {
    const sources = { flags: {}, env: {}, file: fileWith("{}") };
    expect(() => loadConfig(["rpc"], sources)).toThrow(/missing --rpc <url\[,url\]> \(or QUARRY_RPC/);
  });

  describe("servers of single chains", () => {
    const OWN = "http://user:pass,word@b:8123/quarry,http://c:8123/quarry";
    const file = fileWith(
      JSON.stringify({
        clickhouse: "http://a:8123",
        engineMemory: 1024,
        chains: { base: { clickhouse: OWN }, unknown: { clickhouse: OWN } },
      }),
    );

    it("have priority for commands of that chain, and are not part of definitions", () => {
      const load = (flags: Record<string, string>) =>
        loadConfig(["clickhouse", "data", "chain"], { flags, env: {}, file });
      expect(load({ chain: "base" }).settings.clickhouse).toBe(OWN);
      expect(load({}).settings.clickhouse).toBe("http://a:8123");
      const { chains, servers } = load({});
      expect([...servers.keys()]).toEqual(["base", "unknown"]);
      expect(chains.get("base")).not.toHaveProperty("clickhouse");
      expect(chains.has("unknown")).toBe(false);
      for (const flag of ["clickhouse", "data"]) {
        expect(() => load({ chain: "base", [flag]: "http://d:8123" })).toThrow(`--${flag} contradicts`);
        expect(load({ [flag]: "http://d:8123" }).settings).toMatchObject({ [flag]: "http://d:8123" });
      }
    });

    it("need no memory for the embedded engine", () => {
      const load = (flags: Record<string, string>) =>
        loadConfig(["clickhouse", "engineMemory", "chain"], { flags, env: {}, file }).settings.engineMemory;
      expect(load({ chain: "base" })).toBe(undefined);
      expect(load({})).toBe(1024);
      expect(load({ chain: "base", engineMemory: "2048" })).toBe(2048);
    });

    it.each(["localhost:8123", "", 5, null, ["http://a:8123"], "http://a,ftp://b", "http://a,b:8123"])(
      "refuse %j",
      (given) => {
        const bad = fileWith(JSON.stringify({ chains: { base: { clickhouse: given } } }));
        expect(() => loadConfig([], { flags: {}, env: {}, file: bad })).toThrow(
          /"chains\.base\.clickhouse" in .*: its value is not allowed\. Give the URL/,
        );
      },
    );
  });

  it("adds and overrides chains", () => {
    const file = fileWith('{"chains": {"eth": {"blockTimeMs": 5}}}');
    const { chains } = loadConfig([], { flags: {}, env: {}, file });
    expect(chains.get("eth")).toMatchObject({ chainId: 1, blockTimeMs: 5 });
    expect([...chains.keys()]).toEqual(expect.arrayContaining(["eth", "base", "matic"]));
  });
});

it("finds misspelled variables, but not the variables of container platforms and tests", () => {
  const env = {
    QUARRY_KEYFILE: "k",
    QUARRY_PROT: "1",
    QUARRY_PORT: "1",
    KEYS: "k",
    QUARRY_SERVICE_HOST: "h",
  };
  expect(mistypedVariables({ ...env, QUARRY_PORT_8080_TCP: "tcp://h:8080" })).toEqual([
    { name: "QUARRY_KEYFILE", meant: "QUARRY_KEY_FILE" },
    { name: "QUARRY_PROT", meant: "QUARRY_PORT" },
  ]);
});
