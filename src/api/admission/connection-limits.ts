/** Limits on clients' connections; each can be configured. */
export interface ConnectionLimits {
  /** Maximum number of open connections: an idle one takes about 10 KB. */
  connections: number;
  /** Maximum number of open connections per address: a tenth of all, enough for a proxy. */
  addressConnections: number;
  /** Time for the headers of a request to arrive, and for a new connection to send its first request. */
  headerMs: number;
  /** Time for the body of a request to arrive after its headers: 1 MiB at 17 KiB/s. */
  bodyMs: number;
  /** Time that an idle connection is kept open: longer than load balancers keep theirs, usually a minute. */
  keepAliveMs: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  connections: 10_000,
  addressConnections: 1_000,
  headerMs: 10_000,
  bodyMs: 60_000,
  keepAliveMs: 72_000,
};
