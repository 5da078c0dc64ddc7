import { Counter, Gauge, type Registry } from "prom-client";
import type { ReadableChain } from "../../../reads/snapshot/snapshot.ts";
import { partEntries } from "../../../serving/parts.ts";
import type { ServingState } from "../../../serving/serving-state.ts";

/** Measures the answers and the memory of each chain's serving state. */
export function measureServing(chains: readonly ReadableChain[], registry: Registry): void {
  for (const { name, help, type, label, values, aggregator = "sum" } of FIGURES) {
    const Figure = type === "counter" ? Counter : Gauge;
    new Figure({
      name: `quarry_serving_${name}`,
      help,
      aggregator,
      labelNames: ["chain", ...(label === null ? [] : [label])],
      registers: [registry],
      collect() {
        this.reset();
        for (const { chain, serving } of statesOf(chains)) {
          for (const [of, value] of Object.entries(values(serving)))
            this.inc({ chain, ...(label === null ? {} : { [label]: of }) }, value);
        }
      },
    });
  }
}

function statesOf(chains: readonly ReadableChain[]): { chain: string; serving: ServingState }[] {
  return chains.flatMap(({ chain, serving }) =>
    serving === undefined ? [] : [{ chain: chain.name, serving }],
  );
}

interface ServingFigure {
  name: string;
  help: string;
  type: "counter" | "gauge";
  label: string | null;
  /** How the metrics of several workers are combined; default: their sum. */
  aggregator?: "min" | "max";
  values(serving: ServingState): Record<string, number>;
}

const FIGURES: readonly ServingFigure[] = [
  {
    name: "answers_total",
    help: "Answers to requests that memory can answer: from memory, after a read of the store, or from the store alone",
    type: "counter",
    label: "source",
    values: ({ counters: { memory, filled, engine } }) => ({ memory, filled, store: engine }),
  },
  {
    name: "mismatches_total",
    help: "Values in memory that differed from the store in a comparison",
    type: "counter",
    label: null,
    values: ({ counters }) => ({ all: counters.mismatches }),
  },
  {
    name: "block",
    help: "Newest block that answers from memory include",
    type: "gauge",
    label: null,
    aggregator: "min",
    values: ({ commit }): Record<string, number> => (commit === null ? {} : { all: commit.blockNumber }),
  },
  {
    name: "lag_seconds",
    help: "Time since memory was last known to include the newest commit; above 2, memory is not used",
    type: "gauge",
    label: null,
    aggregator: "max",
    values: ({ position, ageMs }): Record<string, number> => (position === null ? {} : { all: ageMs / 1000 }),
  },
  {
    name: "load_seconds",
    help: "Duration of the last load from the store",
    type: "gauge",
    label: null,
    aggregator: "max",
    values: ({ loadSeconds }): Record<string, number> => (loadSeconds === null ? {} : { all: loadSeconds }),
  },
  {
    name: "failed_loads_total",
    help: "Failed loads from the store; each is retried after a delay",
    type: "counter",
    label: null,
    values: ({ counters }) => ({ all: counters.failedLoads }),
  },
  {
    name: "entries",
    help: "Keys in memory",
    type: "gauge",
    label: "part",
    values: (serving) => ofParts(serving, "entries"),
  },
  {
    name: "bytes",
    help: "Approximate memory used",
    type: "gauge",
    label: "part",
    values: (serving) => ofParts(serving, "bytes"),
  },
  {
    name: "evictions_total",
    help: "Keys dropped to make room for others",
    type: "counter",
    label: "part",
    values: (serving) => ofParts(serving, "evictions"),
  },
];

function ofParts({ parts }: ServingState, figure: "entries" | "bytes" | "evictions"): Record<string, number> {
  return Object.fromEntries(partEntries(parts).map(([name, cache]) => [name, cache.use[figure]]));
}
