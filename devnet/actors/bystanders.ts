import { unitsOf } from "../market/liquidity.ts";
import { FIRST_STONES, mintStone } from "../market/opening.ts";
import { STABLES } from "../market/tokens.ts";
import type { View } from "../market/view.ts";
import type { Intent } from "../node/block-maker.ts";
import { encodeCall } from "../node/call-data.ts";
import { COLLECTION } from "../node/genesis.ts";

const WEI = 10 ** 18;
const MINT_CHANCE = 0.04;
const BUY_CHANCE = 0.12;
const PAYMENT_CHANCE = 0.25;
const TOKEN_PAYMENT_CHANCE = 0.25;

/**
 * Returns transactions that are not trades: mints and sales of pieces of the collection, and payments in
 * ether and stablecoins.
 */
export function liveOn(view: View): Intent[] {
  const { random, wallets } = view;
  const somebody = () => random.pick(wallets.retail);
  const intents: Intent[] = [];
  if (random.chance(MINT_CHANCE)) intents.push(mintStone(somebody()));
  if (random.chance(BUY_CHANCE)) {
    const data = encodeCall("buy(uint256)", 1 + random.below(FIRST_STONES));
    const value = BigInt(Math.floor(random.logNormal(0.3, 0.9) * WEI));
    intents.push({ from: somebody(), to: COLLECTION, data, value, gas: 200_000 });
  }
  if (random.chance(PAYMENT_CHANCE)) {
    const value = BigInt(Math.floor(random.logNormal(0.2, 1) * WEI));
    intents.push({ from: somebody(), to: somebody(), data: "0x", value, gas: 21_000 });
  }
  if (random.chance(TOKEN_PAYMENT_CHANCE)) {
    const token = random.pick(STABLES);
    const amount = unitsOf(token, Math.floor(random.logNormal(80, 1)), 1);
    const data = encodeCall("transfer(address,uint256)", somebody(), amount);
    intents.push({ from: somebody(), to: token.address, data, gas: 100_000 });
  }
  return intents;
}
