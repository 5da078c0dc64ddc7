export const ADDRESS = /^0x[0-9a-f]{40}$/i;
export const HASH = /^0x[0-9a-f]{64}$/i;

/** Matches a pool's address, or the 32-byte id that some pools have instead, for example in Uniswap V4. */
export const POOL = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Tokens are minted from this address and burned to it. */
export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/** Abbreviates an address or hash: `0xc02a…6cc2`. */
export function shortHex(hex: string): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}
