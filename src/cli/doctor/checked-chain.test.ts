import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import type { Chain, Deployment } from "../../chains/chain.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { hexOf } from "../../reads/support/market.ts";
import { openForWriting } from "../open-store.ts";
import { checkedChain } from "./checked-chain.ts";

let fresh: Awaited<ReturnType<typeof openFreshEngine>>;
beforeAll(async () => {
  fresh = await openFreshEngine();
});
afterAll(() => fresh.close());

const [FIRST, ...OTHERS] = ethereum.deployments as [Deployment, ...Deployment[]];
const withDeployments = (name: string, deployments: readonly Deployment[]): Chain => ({
  ...ethereum,
  name,
  deployments: [...deployments],
});

it("a chain is checked as it is configured, if that includes all contracts of its index", async () => {
  const configured = withDeployments("older", [FIRST, ...OTHERS]);
  expect(await checkedChain(fresh.engine, configured)).toEqual({ chain: configured, isStored: false });
  await openForWriting(fresh.engine, withDeployments("older", OTHERS), { keep: "no-logs" });
  const { chain, isStored } = await checkedChain(fresh.engine, configured);
  expect([isStored, chain.deployments.length, chain.scope?.keep]).toEqual([
    false,
    ethereum.deployments.length,
    "no-logs",
  ]);
});

it.each<[string, Partial<Chain>]>([
  ["factory", { deployments: [{ ...FIRST, factory: hexOf(0xfa) }] }],
  ["vault", { deployments: [{ ...FIRST, vault: hexOf(0xfa) }] }],
  ["stable", { stableCoins: [...ethereum.stableCoins, hexOf(0x5a)] }],
  ["native", { wrappedNative: hexOf(0xee) }],
  ["network", { chainId: 31337 }],
])("and otherwise as it was indexed: another %s", async (name, change) => {
  const indexed = { ...ethereum, name, ...change };
  await openForWriting(fresh.engine, indexed);
  const { chain, isStored } = await checkedChain(fresh.engine, { ...ethereum, name });
  expect(isStored).toBe(true);
  expect(chain).toMatchObject({ ...change, name });
});
