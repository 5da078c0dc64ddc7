import { readFileSync } from "node:fs";
import type { AgentOptions } from "node:https";
import { createSecureContext } from "node:tls";
import { BaseError } from "../../../lib/error.ts";

/** Paths of PEM files for connections to a server over https. */
export interface TlsFiles {
  /** Authorities that may sign the server's certificate; default: the authorities that Node.js trusts. */
  ca?: string | undefined;
  /** Certificate of this client, and its private key. */
  cert?: string | undefined;
  key?: string | undefined;
}

/**
 * Returns the options of a server's connections from files, which are read once.
 *
 * @param setting name of the setting that gives the URL
 * @throws TlsFilesWithoutTls, IncompleteClientCertificate, BadTlsFile
 */
export function tlsOptions(url: string, files: TlsFiles, setting: string): AgentOptions {
  const { ca, cert, key } = files;
  if (ca === undefined && cert === undefined && key === undefined) return {};
  if (new URL(url).protocol !== "https:") throw new TlsFilesWithoutTls(setting);
  if ((cert === undefined) !== (key === undefined)) throw new IncompleteClientCertificate();
  const contents = {
    ...contentOf("ca", ca),
    ...contentOf("cert", cert),
    ...contentOf("key", key),
  };
  requireUsable(contents, files);
  return contents;
}

function contentOf(name: keyof TlsFiles, path: string | undefined) {
  if (path === undefined) return {};
  try {
    return { [name]: readFileSync(path) };
  } catch (cause) {
    throw new BadTlsFile(`The file ${path} cannot be read`, cause);
  }
}

/** Detects at startup a file that would make every connection fail. */
function requireUsable(contents: Record<string, Buffer>, { ca, cert, key }: TlsFiles): void {
  const { ca: authorities = null, ...own } = contents;
  // Node.js ignores anything in a file of authorities that is not a certificate.
  if (authorities !== null && !authorities.includes("-----BEGIN CERTIFICATE-----"))
    throw new BadTlsFile(`The file ${ca} has no certificate in PEM form`, null);
  try {
    createSecureContext(contents);
  } catch (cause) {
    const files = Object.keys(own).length === 0 ? `The file ${ca}` : `The files ${cert} and ${key}`;
    throw new BadTlsFile(`${files} cannot be used: ${(cause as Error).message}`, cause);
  }
}

const CERTIFICATE_CODES =
  /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|HOSTNAME_MISMATCH)/;
const HANDSHAKE_CODES = /^(EPROTO$|ERR_SSL_)/;

/**
 * Returns whether a code of Node.js means that a connection failed because of TLS: its certificates or its
 * handshake.
 */
export function isTlsFailure(code: string): boolean {
  return CERTIFICATE_CODES.test(code) || HANDSHAKE_CODES.test(code);
}

/** Returns the rest of the sentence "The server ..." for a failure of TLS; null for any other error. */
export function describeTlsFailure(error: unknown): string | null {
  const { code, message, reason = message } = error as NodeJS.ErrnoException & { reason?: string };
  if (code === undefined || !isTlsFailure(code)) return null;
  if (CERTIFICATE_CODES.test(code)) return `has a certificate that is not trusted (${message})`;
  // The message of OpenSSL names places in its sources; only the reason is meaningful to users.
  return `does not accept the connection over TLS (${reason})`;
}

class TlsFilesWithoutTls extends BaseError {
  constructor(setting: string) {
    super(
      "bad-config",
      `--clickhouse-ca, --clickhouse-cert and --clickhouse-key need an address with https:// in ${setting}.`,
    );
  }
}

class IncompleteClientCertificate extends BaseError {
  constructor() {
    super("bad-config", "--clickhouse-cert and --clickhouse-key belong together: give both, or neither.");
  }
}

class BadTlsFile extends BaseError {
  constructor(problem: string, cause: unknown) {
    super("bad-config", `${problem}.`, { cause });
  }
}
