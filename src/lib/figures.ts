import { Counter, Gauge, type Registry } from "prom-client";

/** The name and the meaning of a figure in /metrics. */
interface Named {
  name: string;
  help: string;
}

/** A figure that rises and falls, read when it is scraped. */
export function gauge(registry: Registry, named: Named, read: () => number): void {
  new Gauge({
    ...named,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** A figure that is counted elsewhere and only rises, read when it is scraped. */
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

/** The same for each value of a label. */
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
