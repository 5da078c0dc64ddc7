import type { ChainScreen } from "./screen-chain.ts";
import { inOrder } from "./screen-list.ts";
import type { ScreenQuery } from "./screen-query.ts";

/** Merges the lists of several chains into one. */
export function joinScreens(query: ScreenQuery, screens: readonly ChainScreen[]): ChainScreen {
  const sum = (count: (screen: ChainScreen) => number) =>
    screens.reduce((total, screen) => total + count(screen), 0);
  const rows = screens.flatMap((screen) => screen.rows);
  return {
    rows: rows.sort(inOrder(query)).slice(0, query.rows),
    total: sum(({ total }) => total),
    hiddenSpam: sum(({ hiddenSpam }) => hiddenSpam),
    hiddenWash: sum(({ hiddenWash }) => hiddenWash),
    isLimited: screens.some(({ isLimited }) => isLimited),
  };
}
