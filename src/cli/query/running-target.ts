/** A service that can run queries. */
export interface QueryTarget {
  url: string;
  /** Description of the service for the user. */
  description: string;
  close(): Promise<void>;
}

/** Returns the target for a service that another process runs. */
export function runningTarget(url: string): QueryTarget {
  return {
    url: url.replace(/\/+$/, ""),
    description: `querying the service at ${url}`,
    close: async () => {},
  };
}
