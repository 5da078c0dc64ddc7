import type { Random } from "../random.ts";

/** A request, sent by POST unless it has no body. */
export interface Question {
  path: string;
  body?: Record<string, unknown>;
}

/** Makes random questions of one kind about a random chain. `now` is the time of its newest block. */
export type AskAtRandom = (random: Random, now: number) => Question;
