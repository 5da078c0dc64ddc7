import { expect, it } from "vitest";
import { hostName } from "./host-name.ts";

it.each([
  ["quarry.example.org", "quarry.example.org"],
  ["Quarry.Example.ORG.", "quarry.example.org"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["my_service", "my_service"],
  ["192.0.2.1", "192.0.2.1"],
  ["::1", "[::1]"],
  ["[2001:DB8::0001]", "[2001:db8::1]"],
])("%s is the host %s", (text, name) => {
  expect(hostName(text)).toBe(name);
});

it.each([
  "",
  " ",
  ".",
  "https://quarry.example.org",
  "quarry.example.org/api",
  "quarry.example.org:443",
  "[::1]:80",
  "[::1",
  "[quarry]",
  "user@quarry.example.org",
  "quarry example.org",
  "quarry.example.org ",
  "quarry.example.org?a",
  "quarry.example.org#a",
  "*",
  "*.example.org",
  ".example.org",
  "quarry..example.org",
  "1.2.3.4.5",
  "fe80::1%eth0",
])("%j is not a host", (text) => {
  expect(hostName(text)).toBeNull();
});
