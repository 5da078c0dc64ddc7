export const ADDRESS = /^0x[0-9a-f]{40}$/i;
export const HASH = /^0x[0-9a-f]{64}$/i;

/** Pools of Uniswap V4 have no address of their own, but an id of 32 bytes. */
export const POOL = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Who tokens are minted from and burned to. */
export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/** An address or hash in few signs: `0xc02a…6cc2`. */
export function shortHex(hex: string): string {
  return hex.length <= 13 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}
