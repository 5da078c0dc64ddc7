import type { Node } from "../processes/processes.ts";
import { FAULT_KINDS, type FaultKind, type Faults } from "./replay/faults.ts";
import { type ReplayNode, type ReplayOptions, startReplayNode } from "./replay/replay-node.ts";

/**
 * Maximum share of responses that hang. An endpoint that hangs twice in a row while it is opened is rejected,
 * and then nothing is indexed.
 */
const MAX_HANG_SHARE = 0.05;

/**
 * Starts a node that replays a recording. It applies each of the given kinds of fault to the given share of
 * its responses.
 */
export async function startFaultyNode(
  bundle: string,
  { kinds, share, options = {} }: { kinds: readonly FaultKind[]; share: number; options?: ReplayOptions },
): Promise<ReplayNode> {
  const faults = Object.fromEntries(
    kinds.map((kind) => [kind, kind === "hang" ? Math.min(share, MAX_HANG_SHARE) : share]),
  );
  return startReplayNode([bundle], { ...options, faults });
}

/** Returns how often the rarest of the given kinds of fault happened. */
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
