import { gzipSync } from "node:zlib";
import type { Dispatcher } from "undici";
import { expect, it } from "vitest";
import { ResponseTooLarge, readBody } from "./http-response.ts";

const TEXT = "a".repeat(10_000);

function responseOf(bytes: Buffer, headers: Record<string, string> = {}): Dispatcher.ResponseData {
  const body = (async function* () {
    yield bytes;
  })();
  return { headers, body } as unknown as Dispatcher.ResponseData;
}

const readText = async (response: Dispatcher.ResponseData, maxBytes: number) =>
  (await readBody(response, maxBytes)).text();
const plain = () => responseOf(Buffer.from(TEXT));
const zipped = () => responseOf(gzipSync(TEXT), { "content-encoding": "gzip" });

it.each([
  ["plain", plain],
  ["compressed", zipped],
])("reads a %s body of the maximum size, and refuses a longer one", async (_, response) => {
  expect(await readText(response(), TEXT.length)).toBe(TEXT);
  await expect(readText(response(), TEXT.length - 1)).rejects.toThrow(ResponseTooLarge);
});

it("fails if a compressed body is damaged", async () => {
  const damaged = gzipSync(TEXT).subarray(0, 20);
  await expect(readText(responseOf(damaged, { "content-encoding": "gzip" }), 20_000)).rejects.toThrow(
    "unexpected end of file",
  );
});
