import { shortHex } from "./hex.ts";
import { UNKNOWN } from "./number.ts";

interface Named {
  address: string;
  symbol: string | null;
}

/** What a token is called: by its symbol, else by its address. */
export function tokenName({ address, symbol }: Named): string {
  return symbol === null || symbol === "" ? shortHex(address) : symbol;
}

/** The pair of a pool: `WETH / USDC`. */
export function pairName({ pair }: { pair: readonly Named[] }): string {
  return pair.map(tokenName).join(" / ");
}

/** A fee in millionths as a share: `0.3 %`. */
export function formatFee(fee: number | null): string {
  return fee === null ? UNKNOWN : `${fee / 10_000} %`;
}

/** A protocol by the name that people have for it: `uniswap_v3` is Uniswap V3. */
export function protocolName(protocol: string): string {
  const words = protocol.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join(" ");
}
