import { z } from "zod";
import { setting } from "../setting.ts";

/**
 * Returns the URLs of --clickhouse. A comma separates two URLs only if a URL follows it, because passwords
 * may contain commas.
 */
export function serverUrls(text: string): string[] {
  return text.split(/,\s*(?=[a-z]+:\/\/)/i);
}

/**
 * Returns whether the text is one HTTP URL. A comma in the hostname means that the text has two addresses,
 * and the second one lacks its http://.
 */
function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && !hostname.includes(",");
}

/** Settings for the connection to a ClickHouse server. */
export const SERVER_SETTINGS = {
  clickhouse: setting({
    group: "Storage",
    isSecret: true,
    flag: "--clickhouse <url[,url]>",
    env: "QUARRY_CLICKHOUSE",
    schema: z
      .string()
      .refine((text) => serverUrls(text).every(isHttpUrl), "must be an http:// or https:// URL, or several")
      .optional(),
    doc:
      "use a ClickHouse server (http[s]://user:password@host:8123/database) instead of the embedded engine; further " +
      "URLs are other addresses of the same server, or its replicas, which are used if the first does not respond",
  }),
  cluster: setting({
    group: "Storage",
    flag: "--cluster <name>",
    env: "QUARRY_CLUSTER",
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]*$/i, "must be a name of letters, digits and underscores")
      .optional(),
    doc:
      "require a replicated database, and create it on the servers of this cluster (as named in their configuration) " +
      "if it does not exist",
  }),
  clickhouseCa: setting({
    group: "Storage",
    flag: "--clickhouse-ca <file>",
    env: "QUARRY_CLICKHOUSE_CA",
    schema: z.string().min(1).optional(),
    doc: "PEM file of the authorities that may sign the server's certificate; default: the authorities that Node.js trusts",
  }),
  clickhouseCert: setting({
    group: "Storage",
    flag: "--clickhouse-cert <file>",
    env: "QUARRY_CLICKHOUSE_CERT",
    schema: z.string().min(1).optional(),
    doc: "PEM file of a client certificate for the server; without a password in the URL, it also identifies the user",
  }),
  clickhouseKey: setting({
    group: "Storage",
    flag: "--clickhouse-key <file>",
    env: "QUARRY_CLICKHOUSE_KEY",
    schema: z.string().min(1).optional(),
    doc: "PEM file of the private key of --clickhouse-cert",
  }),
} as const;

export type ServerSetting = keyof typeof SERVER_SETTINGS;

export const SERVER_SETTING_NAMES = [
  "clickhouse",
  "cluster",
  "clickhouseCa",
  "clickhouseCert",
  "clickhouseKey",
] as const satisfies readonly ServerSetting[];
