import { expect, it, vi } from "vitest";
import { olderPoolTradesQuery } from "../pool/pool-trades.ts";
import { olderTokenTradesQuery } from "../token/token-trades.ts";
import { olderWalletTradesQuery } from "../wallet/wallet.ts";

// The client reads settings from the browser.
vi.mock("../service/client.ts", () => ({ quarry: {} }));

const BEFORE = { record_index: 7, timestamp: 1_704_412_800 };
const FILTER = { chain: "eth", side: "all", minUsd: 0 } as const;

it("reads older trades again after a rollback", () => {
  const keysAt = (rollbacks: number) => [
    olderTokenTradesQuery({ ...FILTER, token: "0xa", pool: "all", trader: "all" }, BEFORE, rollbacks),
    olderPoolTradesQuery({ ...FILTER, pool: "0xb", tokens: ["0xa"], newest: 8 }, BEFORE, rollbacks),
    olderWalletTradesQuery({ chain: "eth", wallet: "0xc" }, BEFORE, rollbacks),
  ];
  const texts = [0, 0, 1].map((rollbacks) =>
    keysAt(rollbacks).map(({ queryKey }) => JSON.stringify(queryKey)),
  );
  expect(texts[1]).toEqual(texts[0]);
  texts[2]?.forEach((key, i) => {
    expect(key).not.toBe(texts[0]?.[i]);
  });
});
