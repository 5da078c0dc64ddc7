import { isIPv6 } from "node:net";

/**
 * Number of 16-bit groups that identify a /64 IPv6 network, the smallest network that providers assign. All
 * its addresses belong to one customer.
 */
const NETWORK_GROUPS = 4;

/**
 * Returns the group of an address: an IPv4 address itself, even if it is embedded in an IPv6 address, or the
 * /64 network of an IPv6 address. All addresses in a group count as one client.
 */
export function addressGroup(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const groups = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => "0");
  const network = [...groups, ...zeros, ...last].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/**
 * Splits an IPv6 address into its groups of 16 bits. An IPv4 address at the end takes two groups, which are
 * not part of the network.
 */
function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
}
