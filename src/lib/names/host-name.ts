import { isIPv6 } from "node:net";

/** A name in lower case: labels separated by dots. Names in local networks may have underscores. */
const NAME = /^([a-z0-9_-]+\.)*[a-z0-9_-]+$/;

/**
 * Returns the name or address of a host in the form that URLs use: lower case, international names encoded,
 * IPv6 in brackets, no dot at the end. Returns null for anything else, such as a URL or a name with a port.
 */
export function hostName(text: string): string | null {
  if (isIPv6(text)) return hostName(`[${text}]`);
  const isAddress = text.startsWith("[") && text.endsWith("]");
  if (!isAddress && /[\s/\\:@?#[\]]/.test(text)) return null;
  const url = `http://${text}`;
  if (!URL.canParse(url)) return null;
  const name = new URL(url).hostname.replace(/\.$/, "");
  return isAddress || NAME.test(name) ? name : null;
}

/** Returns whether a host is a loopback name or address, by which this machine refers to itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
