import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import { isPublic } from "./address-ranges.ts";
import { Targets } from "./targets.ts";

const families = (addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

function targets(allowed: string[] = [], addresses: string[] = ["93.184.215.14"]) {
  return new Targets(allowed, async () => families(addresses));
}

const lookup = (from: Targets, name: string, options: { all: boolean }) =>
  new Promise((resolve, reject) =>
    from.lookup(name, options as never, (error, ...found) =>
      error === null ? resolve(found) : reject(error),
    ),
  );

describe("isPublic", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::5db8:d70e",
    "2002:a00:1::",
    "2001::1",
    "2001:db8::1",
    "fec0::1",
  ])("is false for %s", (address) => expect(isPublic(address)).toBe(false));

  it.each([
    "93.184.215.14",
    "168.63.129.17",
    "172.32.0.1",
    "100.128.0.1",
    "::ffff:93.184.215.14",
    "64:ff9b::93.184.215.14",
    "2606:2800:220:1::1",
  ])("is true for %s", (address) => expect(isPublic(address)).toBe(true));
});

describe("the URL of a webhook", () => {
  it.each([
    ["ftp://example.org/", /not http: or https:/],
    ["example.org/hook", /is not a URL/],
    ["javascript:alert(1)", /not http: or https:/],
    ["https://user:word@example.org/", /a user name or password/],
    ["http://127.0.0.1/", /127.0.0.1 is not public. Allow it with --hook-hosts/],
    ["http://127.1/", /127.0.0.1 is not public/],
    ["http://0x7f000001/", /127.0.0.1 is not public/],
    ["http://2130706433/", /127.0.0.1 is not public/],
    ["http://[::1]/", /::1 is not public/],
    ["http://[::ffff:10.0.0.1]/", /is not public/],
    [`https://example.org/${"x".repeat(2_000)}`, /more than 2000 characters/],
  ])("%s is refused", (url, message) => {
    expect(() => targets().requireAllowed(url)).toThrow(message);
  });

  it("may have an address that the operator allows", () => {
    const allowed = targets(["10.0.0.0/8", "[::1]", "127.0.0.1"]);
    for (const url of ["http://10.9.8.7:80/", "http://[::1]:81/", "http://127.0.0.1/"])
      expect(allowed.requireAllowed(url).href).toBe(new URL(url).href);
    expect(() => allowed.requireAllowed("http://11.0.0.1/")).not.toThrow();
    expect(() => allowed.requireAllowed("http://192.168.0.1/")).toThrow("not public");
  });
});

describe("the addresses of a name", () => {
  it("are those of its public addresses, in the requested form", async () => {
    const found = families(["93.184.215.14"]);
    expect(await lookup(targets(), "example.org", { all: true })).toEqual([found]);
    expect(await lookup(targets(), "example.org", { all: false })).toEqual(["93.184.215.14", 4]);
  });

  it("are refused if one of them is not public", async () => {
    const mixed = targets([], ["93.184.215.14", "169.254.169.254"]);
    await expect(lookup(mixed, "example.org", { all: true })).rejects.toThrow(
      "example.org has the address 169.254.169.254, which is not public",
    );
  });

  it("may be any address if the name is allowed, or addresses in an allowed range", async () => {
    const private_ = ["10.0.0.1"];
    const options = { all: true };
    expect(await lookup(targets(["Hooks.Internal"], private_), "hooks.internal", options)).toEqual([
      families(private_),
    ]);
    expect(await lookup(targets(["10.0.0.0/24"], private_), "other.internal", options)).toEqual([
      families(private_),
    ]);
    await expect(lookup(targets(["hooks.internal"], private_), "other.internal", options)).rejects.toThrow(
      "not public",
    );
  });
});
