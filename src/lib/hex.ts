/** Lower-case hex text that starts with `0x`. */
export type Hex = `0x${string}`;

export const ZERO_ADDRESS: Hex = `0x${"0".repeat(40)}`;

const HEX = /^0x(?:[0-9a-f]{2})*$/i;

export function isHex(text: string, bytes?: number): text is Hex {
  return HEX.test(text) && (bytes === undefined || text.length === 2 + 2 * bytes);
}

export function toBytes(hex: string): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

export function fromBytes(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/** Returns a number in the format of JSON-RPC: hex without leading zeros. */
export function toQuantity(number: number | bigint): Hex {
  return `0x${number.toString(16)}`;
}
