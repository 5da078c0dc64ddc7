import { getRouteApi } from "@tanstack/react-router";
import { choicesOf, searchOf, type TokenChoices } from "./token-search.ts";

const route = getRouteApi("/$chain/token/$address");

/** What is chosen on the page, and how to choose otherwise: by its address, so that it can be shared and gone back to. */
export function useTokenChoices(): [TokenChoices, (change: Partial<TokenChoices>) => void] {
  const choices = choicesOf(route.useSearch());
  const navigate = route.useNavigate();
  const choose = (change: Partial<TokenChoices>) =>
    void navigate({ search: searchOf({ ...choices, ...change }), resetScroll: false });
  return [choices, choose];
}

/** Which token the page is about. */
export function useToken(): { chain: string; address: string } {
  return route.useParams();
}
