import { Counter, Gauge, type Registry } from "prom-client";

/** Name and meaning of a metric in /metrics. */
interface Named {
  name: string;
  help: string;
}

/** Registers a metric that can rise and fall. Its value is read at each scrape. */
export function gauge(registry: Registry, named: Named, read: () => number): void {
  new Gauge({
    ...named,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Registers a metric that is counted elsewhere and only rises. Its value is read at each scrape. */
export function counter(registry: Registry, named: Named, read: () => number): void {
  new Counter({
    ...named,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Like `counter`, with a count for each value of a label. */
export function counters(
  registry: Registry,
  { label, ...named }: Named & { label: string },
  read: () => Iterable<readonly [value: string, count: number]>,
): void {
  new Counter({
    ...named,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of read()) this.inc({ [label]: value }, count);
    },
  });
}

/**
 * Returns the sum of a metric's values, or of those whose labels are accepted; 0 if there is no such metric.
 */
export async function sumOf(
  registry: Registry,
  name: string,
  accepts: (labels: Partial<Record<string, string | number>>) => boolean = () => true,
): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  const values = metric?.values.filter(({ labels }) => accepts(labels)) ?? [];
  return values.reduce((sum, { value }) => sum + value, 0);
}
