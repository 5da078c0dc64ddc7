import { expect, it } from "vitest";
import { spamText } from "./spam-text.ts";

it("names the reasons of a verdict, even a newer service's", () => {
  expect(spamText("no_accepted_trade,link_in_name")).toBe(
    "no trade at an accepted price, a link in its name",
  );
  expect(spamText("airdrop_fan_out,other")).toBe("sent to many wallets at once, other");
});
