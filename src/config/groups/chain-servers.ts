import { BUILT_IN_CHAINS } from "../../chains/chains.ts";
import { isObject } from "../../lib/is-object.ts";
import { BadConfig } from "../bad-config.ts";
import { SERVER_SETTINGS } from "./server-settings.ts";

/** URLs of the ClickHouse servers of chains that have their own, by the name of the chain. */
export type ChainServers = ReadonlyMap<string, string>;

/** The chains of a configuration file: their definitions, not checked yet, and their servers. */
interface SplitChains {
  definitions: unknown;
  servers: ChainServers;
}

/**
 * Separates the `clickhouse` field of each chain in a configuration file from the rest, which is the
 * definition of the chain. The definition is stored with the chain's data, so it must not contain the
 * password of a server.
 *
 * @param file name of the file, for errors
 */
export function splitChains(given: unknown, file: string): SplitChains {
  if (!isObject(given)) return { definitions: given, servers: new Map() };
  const servers = new Map<string, string>();
  const definitions: Record<string, unknown> = {};
  for (const [name, chain] of Object.entries(given)) {
    if (!isObject(chain) || !Object.hasOwn(chain, "clickhouse")) {
      definitions[name] = chain;
      continue;
    }
    const { clickhouse, ...definition } = chain;
    servers.set(name, serverUrl(clickhouse, `"chains.${name}.clickhouse" in ${file}`));
    if (Object.keys(definition).length > 0 || isBuiltIn(name)) definitions[name] = definition;
  }
  return { definitions, servers };
}

/**
 * Returns whether a chain is built in. The definition of any other chain may be missing from the file,
 * because it is stored on the chain's server.
 */
function isBuiltIn(chain: string): boolean {
  return BUILT_IN_CHAINS.some(({ name }) => name === chain);
}

function serverUrl(given: unknown, place: string): string {
  const result = SERVER_SETTINGS.clickhouse.schema.safeParse(given);
  if (result.success && result.data !== undefined) return result.data;
  throw new BadConfig(
    `${place}: its value is not allowed. Give the URL of the chain's own ClickHouse server, such as ` +
      "http://user:password@host:8123/database.",
  );
}
