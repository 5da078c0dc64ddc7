import { describe, expect, it } from "vitest";
import { signatureOf } from "../../../src/webhooks/delivery/signature.ts";
import { verifyWebhook } from "./verify-webhook.ts";

const secret = "whsec_test";
const body = '{"event":"test","id":null,"webhook":"hook_1","chain":"eth","part":1,"parts":1,"data":{}}';
const now = () => Math.floor(Date.now() / 1000);

describe("verifyWebhook", () => {
  it("returns the event of a delivery that the service signed", async () => {
    const signature = signatureOf(secret, now(), body);
    expect(await verifyWebhook({ body, signature, secret })).toEqual(JSON.parse(body));
  });

  it("returns null for anything else", async () => {
    const signature = signatureOf(secret, now(), body);
    const old = signatureOf(secret, now() - 301, body);
    for (const wrong of [
      { body: `${body} `, signature, secret },
      { body, signature, secret: "whsec_other" },
      { body, signature: signature.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")), secret },
      { body, signature: old, secret },
      { body, signature: "v1=00", secret },
      { body, signature: null, secret },
      { body, signature: undefined, secret },
      { body, signature, secret, toleranceSeconds: Number.NaN },
    ])
      expect(await verifyWebhook(wrong)).toBeNull();
    expect(await verifyWebhook({ body, signature: old, secret, toleranceSeconds: 600 })).not.toBeNull();
  });

  it("refuses to check with an empty secret", async () => {
    const signature = signatureOf("", now(), body);
    await expect(verifyWebhook({ body, signature, secret: "" })).rejects.toThrow(
      "needs the webhook's secret",
    );
  });
});
