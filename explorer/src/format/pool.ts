import { shortHex } from "./hex.ts";
import { UNKNOWN } from "./number.ts";
import { visibleText } from "./visible-text.ts";

interface TokenLabel {
  address: string;
  symbol: string | null;
}

/** Returns a token's symbol, or its abbreviated address if it has no symbol. */
export function tokenName({ address, symbol }: TokenLabel): string {
  return symbol === null || symbol.trim() === "" ? shortHex(address) : visibleText(symbol);
}

/** Returns the name of a pool of these tokens: `WETH / USDC`. */
export function poolName(tokens: readonly TokenLabel[]): string {
  return tokens.map(tokenName).join(" / ");
}

/** Formats a fee, given in millionths, as a percentage: `0.3 %`. */
export function formatFee(fee: number | null): string {
  return fee === null ? UNKNOWN : `${fee / 10_000} %`;
}

/** Returns a pool's protocol, with its fee if that is known and does not change: `Uniswap V3 0.3 %`. */
export function poolKind({ protocol, fee }: { protocol: string; fee: number | null }): string {
  return fee === null ? protocolName(protocol) : `${protocolName(protocol)} ${formatFee(fee)}`;
}

/** Words that protocols spell in their own way. Other words are capitalized, as is a final "Swap". */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["cl", "CL"],
  ["crvusd", "crvUSD"],
  ["dex", "DEX"],
  ["dodo", "DODO"],
  ["elfomofi", "ElfomoFi"],
  ["fraxswap", "Fraxswap"],
  ["ng", "NG"],
  ["smardex", "SmarDex"],
  ["uniswap", "Uniswap"],
  ["woofi", "WOOFi"],
]);

/** Returns a protocol's display name: `pancakeswap_v3` becomes PancakeSwap V3. */
export function protocolName(protocol: string): string {
  return protocol.split("_").map(spelled).join(" ");
}

function spelled(word: string): string {
  const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
  return SPELLINGS.get(word) ?? capitalized.replace(/swap$/, "Swap");
}
