import { identifier, type Sql } from "../../../src/engine-sql/sql-text.ts";
import { compileSql, type SqlContext } from "../../../src/sql/compile.ts";
import { type BareEngine, openBareEngine } from "../../support/engine/chdb.ts";
import { FIXTURE_BOUND, FIXTURE_LISTED, FIXTURE_NOW, fixtureStatements } from "./query-fixture.ts";

export type FixtureEngine = BareEngine;

/** Two chains. `eth` has the rows of the fixture. */
export const fixtureContext: SqlContext = {
  chains: ["eth", "base"],
  now: FIXTURE_NOW,
  engineTable: (chain, table) => identifier(`${chain}_${table}`),
  listedTokens: () => FIXTURE_LISTED,
};

/** Compiles a client's query on the fixture to the engine's query. @throws SqlError */
export function fixtureSql(query: string): Sql {
  const { print, chain } = compileSql(query, fixtureContext);
  return print(chain === "eth" ? FIXTURE_BOUND : null);
}

/** Opens an engine with the tables of the fixture. */
export async function openFixture(): Promise<FixtureEngine> {
  const engine = openBareEngine();
  for (const statement of fixtureStatements()) await engine.run(statement);
  return engine;
}
