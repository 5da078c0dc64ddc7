import type { Random } from "../random.ts";

/** A request. It is sent as POST if it has a body. */
export interface Question {
  path: string;
  body?: Record<string, unknown>;
}

/** Makes random requests of one kind about a random chain. `now` is the time of its newest block. */
export type AskAtRandom = (random: Random, now: number) => Question;
