import { expect, it } from "vitest";
import { withExamples } from "./live-examples.ts";

const VALUES = { token_address: "0xt", pool_address: null, wallet_address: "0xw" };

it("uses values of the chain and the current time", () => {
  const { paths } = withExamples(
    {
      paths: {
        "/a": {
          get: {
            parameters: [
              { name: "token_address", example: ["0x1", "0x2"] },
              { name: "pool_address", example: "0x3" },
              { name: "timestamp", example: 1704455999 },
              { name: "chain" },
            ],
          },
          post: {
            requestBody: {
              content: {
                "application/json": {
                  example: { params: { wallet_address: ["0x4"], timestamp: 5 }, method: "x" },
                },
              },
            },
          },
        },
      },
    },
    VALUES,
  );
  expect(paths["/a"]).toEqual({
    get: {
      parameters: [
        { name: "token_address", example: ["0xt"] },
        { name: "pool_address", example: "0x3" },
        { name: "timestamp" },
        { name: "chain" },
      ],
    },
    post: {
      requestBody: {
        content: { "application/json": { example: { params: { wallet_address: ["0xw"] }, method: "x" } } },
      },
    },
  });
});
