import type { Hex } from "../lib/hex.ts";
import { bytesOf, type FrameText, textOf } from "./shared-values.ts";

/** The sequence number of a position without states; commits are numbered from 1. */
export const NO_STATES = 0;

/** A position in a chain from which a stream can resume. */
export interface Position {
  /**
   * Sequence number of the commit up to which the subscriber has all states. It is the commit of the block,
   * or an earlier one if the states come with a later block or had to be read from the store; `NO_STATES` if
   * it may lack any state.
   */
  commit: number;
  block: number;
  hash: Hex;
}

/** The kinds of frames; docs/streams.md describes each. */
export const FRAME_EVENTS = [
  "snapshot",
  "block",
  "state",
  "rollback",
  "final",
  "reset",
  "lagged",
  "shutdown",
] as const;

export type FrameEvent = (typeof FRAME_EVENTS)[number];

/**
 * One message of a stream. Subscribers that get the same frame share its bytes. Different frames share the
 * bytes of equal values.
 */
export class Frame {
  readonly event: FrameEvent;
  /** Position of the stream after this frame; null if the frame does not change it. */
  readonly position: Position | null;
  /** The frame's data, a JSON object. */
  readonly #data: FrameText;
  #sse: readonly Buffer[] | null = null;
  #message: string | null = null;
  #text: string | null = null;

  constructor(event: FrameEvent, position: Position | null, data: FrameText) {
    this.event = event;
    this.position = position;
    this.#data = data;
  }

  /** The JSON object as text. */
  get data(): string {
    this.#text ??= textOf(this.#data);
    return this.#text;
  }

  /**
   * The frame as a server-sent event, in pieces. It needs one `data` line, because JSON has no line breaks.
   */
  get sse(): readonly Buffer[] {
    if (this.#sse === null) {
      const id = this.position === null ? "" : `id: ${positionText(this.position)}\n`;
      this.#sse = bytesOf([`${id}event: ${this.event}\ndata: `, ...this.#data, "\n\n"]);
    }
    return this.#sse;
  }

  /** The frame as a WebSocket message, which is a JSON object. */
  get message(): string {
    if (this.#message === null) {
      const id = this.position === null ? "" : `"id":"${positionText(this.position)}",`;
      this.#message = `{"event":"${this.event}",${id}"data":${this.data}}`;
    }
    return this.#message;
  }
}

/** Formats the id of a frame: `commit:block:hash`. */
export function positionText({ commit, block, hash }: Position): string {
  return `${commit}:${block}:${hash}`;
}

/** Parses the id of a frame; null if the text is not an id. */
export function parsePosition(text: string): Position | null {
  const [, commit, block, hash] = /^(\d{1,15}):(\d{1,15}):(0x[0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (hash === undefined) return null;
  return { commit: Number(commit), block: Number(block), hash: hash.toLowerCase() as Hex };
}
