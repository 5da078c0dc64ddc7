import { getRouteApi } from "@tanstack/react-router";
import { choicesOf, type PoolChoices, searchOf } from "./pool-search.ts";

const route = getRouteApi("/$chain/pool/$address");

/** What is chosen on the page, and how to choose otherwise: by its address, so that it can be shared and gone back to. */
export function usePoolChoices(): [PoolChoices, (change: Partial<PoolChoices>) => void] {
  const choices = choicesOf(route.useSearch());
  const navigate = route.useNavigate();
  const choose = (change: Partial<PoolChoices>) =>
    void navigate({ search: searchOf({ ...choices, ...change }), resetScroll: false });
  return [choices, choose];
}
