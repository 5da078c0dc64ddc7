import { describe, expect, it } from "vitest";
import { InvalidEndpointUrl, parseEndpointUrl } from "./url.ts";

describe("parseEndpointUrl", () => {
  it.each([
    ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
    ["https://mainnet.example.io/v3/0123456789abcdef0123456789abcdef", "https://mainnet.example.io/v3/***"],
    ["https://node.example.io/v3/s3cr3t", "https://node.example.io/v3/***"],
    ["wss://node.example.io/eth/mainnet/hush/ws", "wss://node.example.io/eth/mainnet/***/ws"],
    ["https://rpc.example.io/eth?apikey=secret", "https://rpc.example.io/eth?apikey=***"],
    ["https://user:secret@node.example.io/", "https://***@node.example.io"],
  ])("shows %s as %s", (url, masked) => {
    expect(parseEndpointUrl(url).masked).toBe(masked);
  });

  it("keeps the path, the query and the credentials for requests", () => {
    expect(parseEndpointUrl("https://user:p%40ss@node.example.io/rpc?key=1")).toMatchObject({
      origin: "https://node.example.io",
      path: "/rpc?key=1",
      authorization: `Basic ${Buffer.from("user:p@ss").toString("base64")}`,
    });
  });

  it.each(["", "localhost", "127.0.0.1:8545", "ftp://node.example.io", "file:///etc/passwd"])(
    'rejects "%s" and says what to give',
    (url) => {
      expect(() => parseEndpointUrl(url)).toThrow(InvalidEndpointUrl);
      expect(() => parseEndpointUrl(url)).toThrow(/give an http:\/\/ or https:\/\/ URL/);
    },
  );

  it("does not repeat a key in its message", () => {
    expect(() => parseEndpointUrl("wsss://node.example.io/secretsecretsecret")).not.toThrow(/secret/);
  });

  it.each(["http://u:p%@h", "https://user:p%4secret@node.example.io", "ftp://u:p%@h", "u:p%@h"])(
    "rejects %s without the password",
    (url) => {
      const parse = () => parseEndpointUrl(url);
      expect(parse).toThrow(InvalidEndpointUrl);
      expect(parse).not.toThrow(/u:|p%/);
    },
  );

  it("says how to write a % in a password", () => {
    expect(() => parseEndpointUrl("http://u:p%@h")).toThrow('RPC URL "http://…" is not valid');
    expect(() => parseEndpointUrl("http://u:p%@h")).toThrow("%25");
  });
});
