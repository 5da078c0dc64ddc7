import { isIP } from "node:net";

/** All addresses of the machine itself: 127.0.0.0/8 and ::1. */
const LOOPBACK = "loopback";

export const PROXY_RULE = `must be addresses, ranges such as 10.0.0.0/8, or ${LOOPBACK}`;

/**
 * Returns whether the text is an address, a range or `loopback`. A range of all addresses is refused, because
 * any client could then claim any address.
 */
export function isAddressOrRange(text: string): boolean {
  if (text === LOOPBACK) return true;
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
