import type { AskAtRandom } from "./question.ts";

export const status: AskAtRandom = () => ({ path: "/v1/status" });
