import { type ServerSetting, serverUrls } from "../config/groups/server-settings.ts";
import type { Settings } from "../config/settings.ts";
import { BaseError } from "../lib/error.ts";
import type { ServerEngineOptions } from "../storage/engines/server/server-engine.ts";

/** Addresses of one server, in the order in which they are tried. */
export type ServerAddresses = readonly [ServerEngineOptions, ...ServerEngineOptions[]];

/**
 * Returns the addresses in `--clickhouse`, each with its user and the files for TLS.
 *
 * @throws DifferentDatabases
 */
export function serverAddresses(urls: string, files: Partial<Settings<ServerSetting>>): ServerAddresses {
  const [first = "", ...others] = serverUrls(urls);
  const addresses: ServerAddresses = [
    serverAddress(first, files),
    ...others.map((url) => serverAddress(url, files)),
  ];
  const names = new Set(addresses.map(({ database }) => database ?? "default"));
  if (names.size > 1) throw new DifferentDatabases([...names]);
  return addresses;
}

function serverAddress(address: string, files: Partial<Settings<ServerSetting>>): ServerEngineOptions {
  const url = new URL(address);
  return {
    url: url.origin,
    tls: { ca: files.clickhouseCa, cert: files.clickhouseCert, key: files.clickhouseKey },
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 ? { database: url.pathname.slice(1) } : {}),
  };
}

class DifferentDatabases extends BaseError {
  constructor(names: readonly string[]) {
    super(
      "bad-config",
      `--clickhouse: all URLs must be addresses of the same database, but they name ${names.join(" and ")}. ` +
        'Servers of single chains belong under "chains" in the configuration file.',
    );
  }
}
