import { type ServerSetting, serverUrls } from "../config/groups/server-settings.ts";
import type { Settings } from "../config/settings.ts";
import { BaseError } from "../lib/error.ts";
import type { ServerEngineOptions } from "../storage/engines/server/server-engine.ts";

/** Addresses of one server or of its replicas, in the order in which they are tried. */
export type ServerAddresses = readonly [ServerEngineOptions, ...ServerEngineOptions[]];

/**
 * Returns the addresses in `--clickhouse`, each with its user and the settings of all servers.
 *
 * @throws DifferentServers
 */
export function serverAddresses(urls: string, settings: Partial<Settings<ServerSetting>>): ServerAddresses {
  const [first = "", ...others] = serverUrls(urls);
  const addresses: ServerAddresses = [
    serverAddress(first, settings),
    ...others.map((url) => serverAddress(url, settings)),
  ];
  requireEqual(addresses, "database", ({ database = "default" }) => database);
  requireEqual(addresses, "user", ({ username = "default" }) => username);
  requireEqual(addresses, "password", ({ password = "" }) => password);
  return addresses;
}

function requireEqual(
  addresses: ServerAddresses,
  what: string,
  of: (address: ServerEngineOptions) => string,
): void {
  if (new Set(addresses.map(of)).size > 1) throw new DifferentServers(what);
}

function serverAddress(address: string, settings: Partial<Settings<ServerSetting>>): ServerEngineOptions {
  const url = new URL(address);
  return {
    url: url.origin,
    tls: { ca: settings.clickhouseCa, cert: settings.clickhouseCert, key: settings.clickhouseKey },
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 ? { database: url.pathname.slice(1) } : {}),
    ...(settings.cluster === undefined ? {} : { cluster: settings.cluster }),
  };
}

class DifferentServers extends BaseError {
  constructor(what: string) {
    super(
      "bad-config",
      `--clickhouse: all URLs must be addresses of the same database, but they have different values for the ${what}. ` +
        'Servers of single chains belong under "chains" in the configuration file.',
    );
  }
}
