import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { spamQuery } from "../../queries/token/spam.ts";
import { useWithoutSpam } from "./without-spam.tsx";

// The client reads settings from the browser.
vi.mock("../../queries/service/client.ts", () => ({ quarry: {} }));

const ROWS = ["0xa", "0xb", "0xc", "0xb"];

function List() {
  const { visible, spamSwitch } = useWithoutSpam({ chain: "eth", rows: ROWS, tokenOf: (token) => token });
  return createElement("div", null, visible.join(" "), spamSwitch);
}

/** Renders the list when these tokens are known to be spam; null before the verdict arrives. */
function shown(spam: readonly string[] | null): string {
  const client = new QueryClient();
  if (spam !== null) {
    client.setQueryData(
      spamQuery("eth", ROWS, 0).queryKey,
      new Map(spam.map((token) => [token, "link_in_name"])),
    );
  }
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(List)));
}

it("hides rows of spam tokens, and offers to show them", () => {
  expect(shown(["0xb"])).toContain("<div>0xa 0xc<");
  expect(shown(["0xb"])).toContain("Show 2 hidden");
});

it("shows all rows without a switch if none is spam, or the verdict is not known yet", () => {
  expect(shown([])).toBe("<div>0xa 0xb 0xc 0xb</div>");
  expect(shown(null)).toBe("<div>0xa 0xb 0xc 0xb</div>");
});
