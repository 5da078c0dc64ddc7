import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { signatureOf } from "../../src/webhooks/delivery/signature.ts";
import { readRules } from "../../src/webhooks/rules/read-rules.ts";

const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");

it("docs/webhooks.md checks signatures as the service makes them", () => {
  const [code = ""] = /function isGenuine[\s\S]*?\n}\n/.exec(page) ?? [];
  const isGenuine: (header: string | undefined, body: string) => boolean = new Function(
    "createHmac",
    "timingSafeEqual",
    "SECRET",
    `${code}return isGenuine;`,
  )(createHmac, timingSafeEqual, "whsec_test");
  const seconds = Math.floor(Date.now() / 1000);
  const signed = signatureOf("whsec_test", seconds, "{}");
  expect(isGenuine(signed, "{}")).toBe(true);
  expect(isGenuine(signed, "{ }")).toBe(false);
  expect(isGenuine(signatureOf("whsec_other", seconds, "{}"), "{}")).toBe(false);
  expect(isGenuine(signatureOf("whsec_test", seconds - 301, "{}"), "{}")).toBe(false);
  expect(isGenuine(undefined, "{}")).toBe(false);
});

it("docs/webhooks.md shows rules that are valid", () => {
  const rules = [...page.matchAll(/--rule '(.+?)'/g)].map(([, json = ""]) => JSON.parse(json));
  expect(rules.length).toBeGreaterThan(3);
  expect(() =>
    readRules(
      rules.map((rule, i) => ({ id: String(i), ...rule })),
      { method: "POST", now: 0, chains: ["eth"] },
    ),
  ).not.toThrow();
});
