import { startSource } from "../processes/processes.ts";

/** The HTTP interface of a ClickHouse server, in another process. */
export interface ClickHouseServer {
  url: string;
  stop(): Promise<unknown>;
}

/**
 * Starts an engine that plays a ClickHouse server.
 *
 * @param configuration path of the engine's configuration, which can limit what the user may do
 */
export async function startClickHouse(directory: string, configuration?: string): Promise<ClickHouseServer> {
  const given = configuration === undefined ? [] : [configuration];
  const running = startSource("test/support/engine/clickhouse-front.ts", [directory, ...given]);
  const [, port] = await running.printed(/port (\d+)/);
  return { url: `http://127.0.0.1:${port}`, stop: () => running.stop("SIGKILL") };
}
