import { type Frame, type Position, parsePosition, positionText } from "../../streams/frame.ts";
import type { JournalEntry, Progress, Side } from "../webhook.ts";
import { sideOf, watchBlock } from "./price-watch.ts";
import type { Rules } from "./read-rules.ts";

/** One event for a receiver, sent in one or more bodies. */
export interface Delivery {
  event: "block" | "rollback" | "reset" | "test";
  /**
   * Position of the receiver after this delivery, in the format of frame ids; null for `reset` and `test`.
   */
  id: string | null;
  /** Further fields of the body. */
  fields: Readonly<Record<string, unknown>>;
  /** Values by rule id. */
  data: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * The progress of a webhook after a frame, and the deliveries to make before this progress is stored, in
 * order.
 */
export interface Step {
  progress: Progress;
  deliveries: readonly Delivery[];
}

/**
 * Maximum number of blocks in a journal. With a delivery in every block, this covers the 64 to 96 blocks of
 * Ethereum that are not final, and eight minutes of a chain with a block every two seconds.
 */
export const MAX_JOURNAL = 256;

interface FrameFields extends Record<string, unknown> {
  finalized?: number | null;
  parent_hash?: Position["hash"];
}

type FrameData = Record<string, Record<string, unknown>[]>;

/** A frame that brings its client to a block. */
interface PlacedFrame {
  place: Position;
  fields: FrameFields;
  data: FrameData;
}

/**
 * Returns the step that follows from a frame of the webhook's stream. Pure: the same frame and progress
 * always give the same deliveries.
 */
export function nextProgress(progress: Progress, frame: Frame, rules: Rules): Step {
  const { data = {}, ...fields } = JSON.parse(frame.data) as FrameFields & { data?: FrameData };
  if (frame.event === "reset") return afterReset(fields);
  if (frame.position === null) return { progress, deliveries: [] };
  const placed = { place: frame.position, fields, data };
  switch (frame.event) {
    case "snapshot":
      return { progress: beginning(placed, rules), deliveries: [] };
    case "block":
      return afterBlock(progress, placed, rules);
    case "rollback":
      return afterRollback(progress, placed);
    default:
      return { progress, deliveries: [] };
  }
}

const UNKNOWN: Progress = { position: null, sides: {}, journal: [], floor: null, attempted: null };

function beginning({ place, data }: PlacedFrame, { watches }: Rules): Progress {
  const sides = watches.map((watch): [string, Side | null] => {
    const price = data[watch.id]?.at(-1)?.price_usd;
    return [watch.id, typeof price === "number" ? sideOf(watch, price) : null];
  });
  // A rollback of the snapshot's block makes the sides that the snapshot shows unknown again.
  const undo = { block: place.block, id: null, sidesBefore: unknownSides(Object.fromEntries(sides)) };
  return {
    ...UNKNOWN,
    position: positionText(place),
    sides: Object.fromEntries(sides),
    journal: sides.length === 0 ? [] : [undo],
  };
}

function afterReset(fields: FrameFields): Step {
  return {
    progress: UNKNOWN,
    deliveries: [{ event: "reset", id: null, fields, data: {} }],
  };
}

function afterBlock(progress: Progress, placed: PlacedFrame, rules: Rules): Step {
  const { place, fields } = placed;
  const id = positionText(place);
  const { sides, sidesBefore, found } = applyWatches(progress.sides, placed.data, rules);
  const attempted = attemptOf(progress);
  const isReplaced = attempted?.block === place.block && attempted.hash !== place.hash;
  const isDelivered = Object.keys(found).length > 0;
  const entry = { block: place.block, id: isDelivered ? id : null, sidesBefore };
  return {
    progress: {
      position: id,
      sides,
      ...nextJournal(progress, entry, fields.finalized ?? null),
      attempted: attempted !== null && attempted.block > place.block ? progress.attempted : null,
    },
    deliveries: [
      ...(isReplaced ? [rollbackBelow(placed, progress.attempted)] : []),
      ...(isDelivered ? [{ event: "block", id, fields, data: found } as const] : []),
    ],
  };
}

function attemptOf({ attempted }: Progress): Position | null {
  return attempted === null ? null : parsePosition(attempted);
}

/**
 * Returns the delivery for the rollback of a block whose own delivery was attempted before the service went
 * down. The stream has no frame for that rollback.
 */
function rollbackBelow({ place, fields }: PlacedFrame, attempted: string | null): Delivery {
  const { chain, finalized, parent_hash: hash = place.hash } = fields;
  const block = place.block - 1;
  const id = positionText({ commit: place.commit, block, hash });
  const rolledBack = attempted === null ? [] : [attempted];
  return {
    event: "rollback",
    id,
    fields: { chain, commit: place.commit, block, hash, finalized, rolled_back: rolledBack },
    data: {},
  };
}

/**
 * Returns the sides of all watched prices after a block, and its data with crossings instead of their trades.
 */
function applyWatches(before: Progress["sides"], data: FrameData, { watches }: Rules) {
  const sides: Record<string, Side | null> = { ...before };
  const sidesBefore: Record<string, Side | null> = {};
  const found: Record<string, readonly unknown[]> = { ...data };
  for (const watch of watches) {
    const { side, crossing } = watchBlock(watch, before[watch.id] ?? null, data[watch.id] ?? []);
    if (side !== (before[watch.id] ?? null)) sidesBefore[watch.id] = before[watch.id] ?? null;
    sides[watch.id] = side;
    delete found[watch.id];
    if (crossing !== null) found[watch.id] = [crossing];
  }
  return { sides, sidesBefore, found };
}

/**
 * Returns the journal with a new entry, without blocks that have become final, and limited to the newest
 * `MAX_JOURNAL` entries. Also returns the journal's new floor.
 */
function nextJournal(
  { journal, floor }: Progress,
  entry: JournalEntry,
  finalized: number | null,
): Pick<Progress, "journal" | "floor"> {
  const isEmpty = entry.id === null && Object.keys(entry.sidesBefore).length === 0;
  const all = isEmpty ? journal : [...journal, entry];
  const kept = all.filter(({ block }) => finalized === null || block > finalized).slice(-MAX_JOURNAL);
  return { journal: kept, floor: all.at(-kept.length - 1)?.block ?? floor };
}

/**
 * Returns the step that undoes the blocks above the frame's block. Nothing is delivered if, as far as is
 * known, the receiver was sent nothing about them.
 */
function afterRollback(progress: Progress, { place, fields }: PlacedFrame): Step {
  const { floor } = progress;
  const isExact = floor === null || place.block >= floor;
  const undone = progress.journal.filter(({ block }) => block > place.block);
  const attempted = attemptOf(progress);
  const isUndone = attempted !== null && attempted.block > place.block;
  const id = positionText(place);
  const rolledBack = [
    ...undone.flatMap((entry) => entry.id ?? []),
    ...(isUndone && progress.attempted !== null ? [progress.attempted] : []),
  ];
  const delivery: Delivery = {
    event: "rollback",
    id,
    fields: { ...fields, rolled_back: rolledBack },
    data: {},
  };
  return {
    progress: {
      position: id,
      sides: isExact ? sidesBefore(progress.sides, undone) : unknownSides(progress.sides),
      journal: progress.journal.filter(({ block }) => block <= place.block),
      floor: isExact ? floor : place.block,
      attempted: isUndone ? null : progress.attempted,
    },
    deliveries: rolledBack.length > 0 || !isExact ? [delivery] : [],
  };
}

function sidesBefore(sides: Progress["sides"], undone: readonly JournalEntry[]): Progress["sides"] {
  return Object.assign({}, sides, ...undone.map((entry) => entry.sidesBefore).reverse());
}

function unknownSides(sides: Progress["sides"]): Progress["sides"] {
  return Object.fromEntries(Object.keys(sides).map((id) => [id, null]));
}
