import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { screenerQuery } from "./screener.ts";

vi.mock("../service/client.ts", () => ({
  quarry: {
    screener: async () => ({
      tokens: [{ token_address: "0xa", token_symbol: "USDC", token_name: "USD\u200B Coin" }],
      ...{ pools: [], total: 1, hidden_spam: 0, hidden_wash: 0, limited: false },
    }),
  },
}));

it("escapes hidden characters in names, so that an imitation looks different", async () => {
  const { rows } = await new QueryClient().fetchQuery(screenerQuery("eth", {}));
  expect(rows[0]?.name).toBe("USD\\u{200B} Coin");
});
