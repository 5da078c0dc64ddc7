import { useNavigate, useSearch } from "@tanstack/react-router";
import { oneOf, urlChoices } from "../../format/url-choices.ts";
import {
  SCREEN_KINDS,
  SCREEN_SORTS,
  SCREEN_WINDOWS,
  type ScreenKind,
  type ScreenSort,
  type ScreenWindow,
} from "../../queries/market/screener.ts";

/** Options for the minimum volume in a list, in US dollars; 0 means any volume. */
export const MIN_VOLUMES = [0, 1_000, 10_000, 100_000] as const;

/** The choices on the home page, kept in its URL under the names of the API's parameters. */
export interface HomeChoices {
  kind: ScreenKind;
  window: ScreenWindow;
  sortby: ScreenSort;
  order: "desc" | "asc";
  min_volume_usd: (typeof MIN_VOLUMES)[number];
  exclude_wash: boolean;
}

const DEFAULTS: HomeChoices = {
  ...{ kind: "token", window: "24h", sortby: "volume_usd", order: "desc" },
  ...{ min_volume_usd: 0, exclude_wash: false },
};

export type HomeSearch = Partial<HomeChoices>;

const { searchOf, choicesOf } = urlChoices(DEFAULTS);

/** Parses the choices in a URL. Drops invalid values and defaults. */
export function parseHomeSearch(parameters: Record<string, unknown>): HomeSearch {
  return searchOf({
    kind: oneOf(SCREEN_KINDS, parameters.kind) ?? DEFAULTS.kind,
    window: oneOf(SCREEN_WINDOWS, parameters.window) ?? DEFAULTS.window,
    sortby: oneOf(SCREEN_SORTS, parameters.sortby) ?? DEFAULTS.sortby,
    order: oneOf(["desc", "asc"] as const, parameters.order) ?? DEFAULTS.order,
    min_volume_usd: oneOf(MIN_VOLUMES, Number(parameters.min_volume_usd)) ?? DEFAULTS.min_volume_usd,
    exclude_wash: String(parameters.exclude_wash) === "true",
  });
}

/** Returns the choices on the page and their setter. The page has two routes, with and without the chain. */
export function useHomeChoices(): [HomeChoices, (change: HomeSearch) => void] {
  const choices = choicesOf(parseHomeSearch(useSearch({ strict: false })));
  const navigate = useNavigate();
  const setChoices = (change: HomeSearch) =>
    void navigate({ to: ".", search: searchOf({ ...choices, ...change }), resetScroll: false });
  return [choices, setChoices];
}
