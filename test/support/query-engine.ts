import { identifier } from "../../src/lib/sql-text.ts";
import type { SqlContext } from "../../src/sql/compile.ts";
import { type BareEngine, openBareEngine } from "./chdb.ts";
import { FIXTURE_BOUND, FIXTURE_NOW, fixtureStatements } from "./query-fixture.ts";

export type FixtureEngine = BareEngine;

/** Two chains, of which `eth` has the rows of the fixture. */
export const fixtureContext: SqlContext = {
  chains: ["eth", "base"],
  now: FIXTURE_NOW,
  engineTable: (chain, table) => identifier(`${chain}_${table}`),
  bound: (chain) => (chain === "eth" ? FIXTURE_BOUND : null),
};

/** An engine with the tables of the fixture. */
export async function openFixture(): Promise<FixtureEngine> {
  const engine = openBareEngine();
  for (const statement of fixtureStatements()) await engine.run(statement);
  return engine;
}
