import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type SchemaObject } from "ajv";
import { describe, expect, it } from "vitest";
import { health } from "../../src/api/endpoints/operations/health.ts";
import { ready } from "../../src/api/endpoints/operations/ready.ts";
import { STOP_MS } from "../../src/cli/shutdown.ts";
import type { Setting } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { DEPLOY, imageValue, imageVariables, readDeployed, readText } from "./support/deployment-files.ts";

interface Values extends Record<string, unknown> {
  settings: Record<string, string>;
  terminationGracePeriodSeconds: number;
  readinessPath: string;
}

const CHART = "helm/quarry";
const values = readDeployed<Values>(`${CHART}/values.yaml`);
const schema = readDeployed<SchemaObject>(`${CHART}/values.schema.json`);
const isValid = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);
const templates = readdirSync(join(DEPLOY, CHART, "templates")).map((file) =>
  readText(join("deploy", CHART, "templates", file)),
);
const template = templates.join("\n");
const statefulSet = readText(join("deploy", CHART, "templates/statefulset.yaml"));

/**
 * Returns the paths of all values, such as `image.repository`. An object that a template writes as a whole
 * counts as one value.
 */
function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  const name = path.join(".");
  const isWhole = template.match(new RegExp(`\\.Values\\.${name}(?![\\w.])`)) !== null;
  if (typeof value !== "object" || value === null || Array.isArray(value) || (isWhole && name !== ""))
    return [name];
  return Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]));
}

describe("the chart's values", () => {
  it("satisfy their schema", () => {
    isValid(values);
    expect(isValid.errors).toBeNull();
  });

  it("are those that the templates use", () => {
    const used = new Set([...template.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path));
    expect(pathsOf(values).sort()).toEqual([...used].sort());
  });

  it("cannot contain secrets, nor what the image sets", () => {
    const declared: Setting[] = Object.values(SETTINGS);
    const secret = declared.filter(({ isSecret = false }) => isSecret).map(({ env }) => env);
    const fixed = Object.keys(imageVariables()).filter((name) => name.startsWith("QUARRY_"));
    expect(secret.length).toBeGreaterThan(2);
    for (const name of [...secret, ...fixed]) {
      expect([name, isValid({ ...values, settings: { [name]: "x" } })]).toEqual([name, false]);
    }
    for (const { env } of declared.filter((one) => ![...secret, ...fixed].includes(one.env))) {
      expect([env, isValid({ ...values, settings: { [env]: "x" } })]).toEqual([env, true]);
    }
  });

  it("give Quarry more time than it takes to stop, and so does the schema", () => {
    expect(values.terminationGracePeriodSeconds * 1000).toBeGreaterThan(STOP_MS);
    const tooShort = { ...values, terminationGracePeriodSeconds: STOP_MS / 1000 };
    expect(isValid(tooShort)).toBe(false);
  });

  it("name the path of a probe", () => {
    expect(values.readinessPath).toBe(ready.path);
    expect((schema.properties as Record<string, SchemaObject>).readinessPath?.enum).toEqual([
      ready.path,
      health.path,
    ]);
  });
});

describe("the chart's templates", () => {
  it("use the image's user, port and folders", () => {
    const { QUARRY_PORT, QUARRY_DATA } = imageVariables();
    const [uid, gid] = imageValue("USER").split(":");
    expect(statefulSet).toContain(`runAsUser: ${uid}\n`);
    expect(statefulSet).toContain(`runAsGroup: ${gid}\n`);
    expect(statefulSet).toContain(`fsGroup: ${gid}\n`);
    expect(statefulSet).toContain(`containerPort: ${QUARRY_PORT}\n`);
    expect(statefulSet).toContain(`mountPath: ${QUARRY_DATA}\n`);
    expect(statefulSet).toContain("mountPath: /tmp\n");
  });

  it("run one process without rights, on a read-only file system", () => {
    for (const line of [
      "replicas: 1",
      "runAsNonRoot: true",
      "readOnlyRootFilesystem: true",
      "allowPrivilegeEscalation: false",
      "drop: [ALL]",
      "type: RuntimeDefault",
      "automountServiceAccountToken: false",
      "enableServiceLinks: false",
    ]) {
      expect(statefulSet).toMatch(new RegExp(`^\\s*${line.replaceAll(/[[\]]/g, "\\$&")}$`, "m"));
    }
  });

  it("probe paths that exist", () => {
    const probed = [...statefulSet.matchAll(/Probe:\s+httpGet:\s+path: (.*)$/gm)].map(([, path]) => path);
    expect(probed).toEqual([health.path, health.path, "{{ .Values.readinessPath }}"]);
  });

  it("close each block that they open", () => {
    for (const text of templates) {
      const opened = text.match(/\{\{-? (if|with|range|define) /g)?.length ?? 0;
      expect(text.match(/\{\{-? end \}\}/g)?.length ?? 0).toBe(opened);
      expect(text.match(/\{\{/g)?.length ?? 0).toBe(text.match(/\}\}/g)?.length ?? 0);
    }
  });

  it("have the version of the package", () => {
    const { appVersion } = readDeployed<{ appVersion: string }>(`${CHART}/Chart.yaml`);
    expect(appVersion).toBe((JSON.parse(readText("package.json")) as { version: string }).version);
  });
});
