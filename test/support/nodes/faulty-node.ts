import { type Node, startReplayNode } from "../processes/processes.ts";

/** What the recording's node can do wrong. */
export const FAULT_KINDS = ["429", "500", "hang", "truncate", "null", "drop-log", "dup-log"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Answers that were spoilt, by kind. */
export type Faults = Partial<Record<FaultKind, number>>;

export interface FaultyNode extends Node {
  /** What it spoilt so far. */
  faults(): Promise<Faults>;
}

/** Serves a recording, and spoils a share of the answers in each of the ways. */
export async function startFaultyNode(
  bundle: string,
  { kinds, share, options = [] }: { kinds: readonly FaultKind[]; share: number; options?: string[] },
): Promise<FaultyNode> {
  const spec = kinds.map((kind) => `${kind}:${share}`).join(",");
  const node = await startReplayNode([bundle], ["--faults", spec, ...options]);
  const faults = async () => {
    const stats = (await (await fetch(node.url)).json()) as { faults: Faults };
    return stats.faults;
  };
  return { ...node, faults };
}

/** How often the rarest of some kinds happened. */
export function rarest(faults: Faults, kinds: readonly FaultKind[]): number {
  return Math.min(...kinds.map((kind) => faults[kind] ?? 0));
}

export function addFaults(a: Faults, b: Faults): Faults {
  const kinds = FAULT_KINDS.filter((kind) => kind in a || kind in b);
  return Object.fromEntries(kinds.map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)]));
}

export function portOf(node: Node): string {
  return new URL(node.url).port;
}
