import { expect, it } from "vitest";
import { signatureOf } from "./signature.ts";

it("is the HMAC-SHA256 of the time, a dot and the body", () => {
  // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec_test
  const digest = "38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789";
  expect(signatureOf("whsec_test", 1_700_000_000, '{"a":1}')).toBe(`t=1700000000,v1=${digest}`);
});
