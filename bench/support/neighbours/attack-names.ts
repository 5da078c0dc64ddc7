/**
 * Names of the loads. Each name says what the load's clients do continuously. The last load runs all others,
 * each from its own address.
 */
export const ATTACK_NAMES = [
  "200 heavy SQL",
  "20 expensive patterns",
  "300 large top records",
  "260 reconnecting clients",
  "300 invalid requests",
  "1,000 pipelined requests",
  "5,000 idle connections",
  "500 slow connections",
  "20 clients that never read",
  "all of these at once",
] as const;

export type AttackName = (typeof ATTACK_NAMES)[number];
