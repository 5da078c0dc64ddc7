import { parser } from "@prometheus-io/lezer-promql";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { measureProcess } from "../../src/cli/serving/metrics/metrics.ts";
import { describedMetrics } from "../support/metrics-page.ts";
import { bytesOf, headingsOf, imageVariables, readDeployed } from "./support/deployment-files.ts";

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; docs: string };
}

interface Variable {
  name: string;
  type: string;
  query: string | { query: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[];
}

const { groups } = readDeployed<{ groups: { name: string; rules: Rule[] }[] }>("prometheus/alerts.yaml");
const dashboard = readDeployed<{ uid: string; templating: { list: Variable[] }; panels: Panel[] }>(
  "grafana/quarry.json",
);
const rules = groups.flatMap((group) => group.rules);
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);

/** Labels that Prometheus adds to each metric. */
const TARGET_LABELS = ["instance", "job"];
const labelsByMetric = new Map([["up", TARGET_LABELS]]);
for (const { name, type, labels } of describedMetrics()) {
  labelsByMetric.set(name, [...labels, ...TARGET_LABELS]);
  if (type === "histogram") labelsByMetric.set(`${name}_bucket`, [...labels, ...TARGET_LABELS, "le"]);
}
const processMetrics = new Registry();
measureProcess(processMetrics);
for (const { name } of processMetrics.getMetricsAsArray()) labelsByMetric.set(name, TARGET_LABELS);

const METRIC = /\b((?:quarry|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g;
const LABEL_LIST = /\b(?:by|on) \(([^)]*)\)/g;
const wordsOf = (text = "") => text.match(/\w+/g) ?? [];

/** Returns the labels that the results of a query have. */
function resultLabels(expression: string): string[] {
  const kept = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => wordsOf(list));
  if (/^(sum|max|min|histogram_quantile)\b/.test(expression)) return kept.filter((label) => label !== "le");
  return [...expression.matchAll(METRIC)].flatMap(([, name = ""]) => labelsByMetric.get(name) ?? []);
}

/** Returns the expressions that are not valid PromQL. */
function malformed(expressions: readonly string[]): string[] {
  return expressions.filter((expression) => {
    let isMalformed = false;
    // Grafana fills in its variables, such as the duration in [$__rate_interval].
    parser.parse(expression.replaceAll(/\[\$__\w+\]/g, "[1m]")).iterate({
      enter: ({ type }) => {
        isMalformed ||= type.isError;
      },
    });
    return isMalformed;
  });
}

it("notices expressions that are not valid PromQL", () => {
  const wrong = ["sum(up", "up by (job)", "rate(up[5m)", "up >", "up{job=quarry}"];
  expect(malformed([...wrong, 'sum by (job) (rate(up{job="quarry"}[$__rate_interval])) > 0'])).toEqual(wrong);
});

/** Returns the metrics in an expression that do not exist, and the labels that its metrics do not have. */
function faultsOf(expression: string): string[] {
  const used = [...expression.matchAll(METRIC)].map(([, name = "", selector = ""]) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  }));
  if (used.length === 0) return [`no metric in ${expression}`];
  const wrong = used.flatMap(({ name, labels }) => {
    const known = labelsByMetric.get(name);
    return known === undefined
      ? [name]
      : labels.filter((label) => !known.includes(label)).map((one) => `${name} ${one}`);
  });
  const all = used.flatMap(({ name }) => labelsByMetric.get(name) ?? []);
  const listed = [...expression.matchAll(LABEL_LIST)].flatMap(([, list]) => wordsOf(list));
  return [...wrong, ...listed.filter((label) => !all.includes(label))];
}

describe("alerts.yaml", () => {
  it("is valid PromQL", () => {
    expect(malformed(rules.map(({ expr }) => expr))).toEqual([]);
  });

  it("uses metrics and labels that exist", () => {
    expect(rules.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
  });

  it("shows labels that the results have", () => {
    const wrong = rules.flatMap(({ alert, expr, annotations }) => {
      const known = resultLabels(expr);
      const shown = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(
        ([, label = ""]) => label,
      );
      return shown.filter((label) => !known.includes(label)).map((label) => `${alert} ${label}`);
    });
    expect(wrong).toEqual([]);
  });

  it("counts only increases of series that exist from the start, with 0", () => {
    const growing = rules.flatMap(({ expr }) => [...expr.matchAll(/increase\((quarry_http_\w+)/g)]);
    const labelled = growing.filter(
      ([, name = ""]) => labelsByMetric.get(name)?.length !== TARGET_LABELS.length,
    );
    expect(labelled.map(([, name]) => name)).toEqual([]);
  });

  it("has names of its own, a duration, a severity and texts for each alert", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, for: duration, labels, annotations } of rules) {
      expect(alert).toMatch(/^Quarry[A-Z]\w+$/);
      expect(duration).toMatch(/^\d+[mh]$/);
      expect(labels.severity).toMatch(/^(warning|critical)$/);
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.description).toMatch(/\.$/);
    }
  });

  it("refers to sections of the documentation that exist", () => {
    const broken = rules.filter(({ annotations: { docs } }) => {
      const [page = "", heading = ""] = docs.split("#");
      return !headingsOf(page).includes(heading);
    });
    expect(broken).toEqual([]);
  });

  it("warns before the memory limit of the container is reached", () => {
    const { services } = readDeployed<{ services: { quarry: { mem_limit: string } } }>("compose.yaml");
    const { resources } = readDeployed<{ resources: { limits: { memory: string } } }>(
      "helm/quarry/values.yaml",
    );
    const { expr = "" } = rules.find(({ alert }) => alert === "QuarryMemoryHigh") ?? {};
    const limit = Number(/\* (\d+) \* 2 \^ 30$/.exec(expr)?.[1]) * 2 ** 30;
    expect([bytesOf(services.quarry.mem_limit), bytesOf(resources.limits.memory)]).toEqual([limit, limit]);
  });
});

describe("prometheus.yaml", () => {
  const config = readDeployed<{
    rule_files: string[];
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
  }>("prometheus/prometheus.yaml");

  it("scrapes the service of compose.yaml under the name that the alerts select", () => {
    const [job] = config.scrape_configs;
    expect(job?.static_configs[0]?.targets).toEqual([`quarry:${imageVariables().QUARRY_PORT}`]);
    const selected = rules.flatMap(({ expr }) => [...expr.matchAll(/job="(\w+)"/g)].map(([, name]) => name));
    expect(new Set(selected)).toEqual(new Set([job?.job_name]));
    expect(config.rule_files).toEqual(["alerts.yaml"]);
  });
});

describe("the dashboard", () => {
  it("is valid PromQL", () => {
    expect(malformed(targets.map(({ expr }) => expr))).toEqual([]);
  });

  it("uses metrics and labels that exist", () => {
    expect(targets.length).toBeGreaterThan(40);
    expect(targets.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
  });

  it("names series by labels that they have", () => {
    const wrong = targets.flatMap(({ expr, legendFormat }) => {
      const known = resultLabels(expr);
      return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
        .filter(([, label = ""]) => !known.includes(label))
        .map(([label]) => `${expr} ${label}`);
    });
    expect(wrong).toEqual([]);
  });

  it("takes the data source, the instances and the chains from variables", () => {
    const { list } = dashboard.templating;
    expect(list.map(({ name, type }) => [name, type])).toEqual([
      ["datasource", "datasource"],
      ["instance", "query"],
      ["chain", "query"],
    ]);
    const queries = list.slice(1).map(({ query }) => (typeof query === "string" ? query : query.query));
    for (const query of queries) {
      const [, metric = "", label = ""] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
      expect(labelsByMetric.get(metric)).toContain(label);
    }
    expect(new Set(targets.map(({ datasource }) => datasource.uid))).toEqual(new Set(["$" + "{datasource}"]));
    expect(targets.filter(({ expr }) => !expr.includes('instance=~"$instance"'))).toEqual([]);
  });

  it("has panels with ids of their own that do not overlap", () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it("is where Grafana's provisioning expects it", () => {
    const { providers } = readDeployed<{ providers: [{ options: { path: string } }] }>(
      "grafana/provisioning/dashboards/quarry.yaml",
    );
    const { services } = readDeployed<{ services: { grafana: { volumes: string[] } } }>("compose.yaml");
    expect(services.grafana.volumes).toContain(
      `./grafana/quarry.json:${providers[0].options.path}/quarry.json:ro`,
    );
  });
});
