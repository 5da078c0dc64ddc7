import { type ServerSetting, serverUrls } from "../config/groups/server-settings.ts";
import type { Settings } from "../config/settings.ts";
import { BaseError } from "../lib/error.ts";
import type { Logger } from "../lib/log.ts";
import { CLICKHOUSE_SETTING, type ServerEngineOptions } from "../storage/engines/server/server-connection.ts";
import type { Engine } from "../storage/store.ts";

/** Addresses of one server or of its replicas, in the order in which they are tried. */
export type ServerAddresses = readonly [ServerEngineOptions, ...ServerEngineOptions[]];

/**
 * Returns the name of the setting that gives a server, for errors.
 *
 * @param chains chains that have this server as their own
 */
export function serverSetting(chains: readonly string[] = []): string {
  if (chains.length === 0) return CLICKHOUSE_SETTING;
  return `${chains.map((chain) => `"chains.${chain}.clickhouse"`).join(" and ")} in the configuration file`;
}

/**
 * Returns the addresses of a server, each with its user and the settings of all servers.
 *
 * @param setting name of the setting that gives the URLs, for errors
 * @throws DifferentServers
 */
export function serverAddresses(
  urls: string,
  settings: Partial<Settings<ServerSetting>>,
  setting: string = CLICKHOUSE_SETTING,
): ServerAddresses {
  const [first = "", ...others] = serverUrls(urls);
  const address = (url: string) => ({ ...serverAddress(url, settings), setting });
  const addresses: ServerAddresses = [address(first), ...others.map(address)];
  requireEqual(addresses, "database", ({ database = "default" }) => database);
  requireEqual(addresses, "user", ({ username = "default" }) => username);
  requireEqual(addresses, "password", ({ password = "" }) => password);
  return addresses;
}

/** Logs each switch to another address of a server that has several. */
export function logAddressChanges({ addresses }: Engine, logger: Logger): void {
  addresses?.follow(({ from, to }) =>
    logger.warn({ from, to }, "switched to another address of the ClickHouse server"),
  );
}

function requireEqual(
  addresses: ServerAddresses,
  what: string,
  of: (address: ServerEngineOptions) => string,
): void {
  if (new Set(addresses.map(of)).size > 1) throw new DifferentServers(what, addresses[0].setting);
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
  constructor(what: string, setting: string = CLICKHOUSE_SETTING) {
    super(
      "bad-config",
      `${setting}: all URLs must be addresses of the same database, but they differ in the ${what}.` +
        (setting === CLICKHOUSE_SETTING
          ? ' To give a chain its own server, set it under "chains" in the configuration file.'
          : ""),
    );
  }
}
