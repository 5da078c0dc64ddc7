import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { generateTypes } from "../generate-types.ts";

it("api-types.ts matches the endpoints (if not: npm run generate -w sdk)", async () => {
  const committed = readFileSync(new URL("./api-types.ts", import.meta.url), "utf8");
  expect(await generateTypes()).toBe(committed);
});
