import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "../../docs/metrics.md");

/** A metric that docs/metrics.md describes. */
export interface DescribedMetric {
  name: string;
  type: string;
  labels: string[];
}

/** Reads the tables of docs/metrics.md. `metrics.test.ts` compares them with what the service measures. */
export function describedMetrics(): DescribedMetric[] {
  return readFileSync(PAGE, "utf8").split(/^## /m).flatMap(metricsOf);
}

/**
 * Reads the metrics of a section. Labels are named before its table, in a column, or in the text of a row:
 * "…, by `state` of the search".
 */
function metricsOf(section: string): DescribedMetric[] {
  const shared = namesIn(/^Labels? (`\w+`(?: and `\w+`)?)/m.exec(section)?.[1]);
  const rows = section.matchAll(/^\| `(quarry_\w+)` \|(?:([^|]*)\|)? (counter|gauge|histogram) \|([^|]*)/gm);
  return [...rows].map(([, name = "", column = "", type = "", text]) => ({
    name,
    type,
    labels: [...shared, ...(column.match(/\w+/g) ?? []), ...namesIn(/, by (`\w+`) of/.exec(text ?? "")?.[1])],
  }));
}

function namesIn(text = ""): string[] {
  return text.match(/\w+/g)?.filter((word) => word !== "and") ?? [];
}
