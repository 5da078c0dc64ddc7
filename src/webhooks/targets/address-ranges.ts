import { BlockList, isIP } from "node:net";

/**
 * IPv4 addresses that are not public: loopback, private, link-local and multicast addresses, and addresses
 * that the registries of special-purpose addresses (RFC 6890 and its updates) reserve. They include the
 * addresses at which clouds serve credentials (169.254.169.254, 100.100.100.200), and 168.63.129.16, another
 * such address, in a range that is otherwise public.
 */
const NOT_PUBLIC = rangesOf([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
]);

/**
 * A range that contains all public IPv6 addresses, but not fd00:ec2::254, at which a cloud serves
 * credentials.
 */
const GLOBAL_UNICAST = rangesOf(["2000::/3"]);

/** Parts of 2000::/3 that are not public, or that embed an IPv4 address, which may be private. */
const RESERVED_V6 = rangesOf(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

export function isPublic(address: string): boolean {
  const plain = withoutMapping(address);
  if (isIP(plain) === 4) return !includes(NOT_PUBLIC, plain);
  return includes(GLOBAL_UNICAST, plain) && !includes(RESERVED_V6, plain);
}

/** @param ranges addresses, or ranges such as 10.0.0.0/8 */
export function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    list.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return list;
}

export function includes(list: BlockList, address: string): boolean {
  const plain = withoutMapping(address);
  return list.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
}

/**
 * Returns the IPv4 address inside an IPv4-mapped (`::ffff:10.0.0.1`) or NAT64 (`64:ff9b::10.0.0.1`) IPv6
 * address, in any spelling; returns any other address as it is.
 */
function withoutMapping(address: string): string {
  if (isIP(address) !== 6) return address;
  const { hostname } = new URL(`http://[${address.split("%")[0]}]`);
  const [, high, low] = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname.slice(1, -1);
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}
