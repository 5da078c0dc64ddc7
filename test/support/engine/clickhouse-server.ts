import { startSource } from "../processes/processes.ts";

/** The HTTP interface of a ClickHouse server, in another process. */
export interface ClickHouseServer {
  url: string;
  /** Kills the process, even during a statement, and starts another one at the same address. */
  restart(): Promise<void>;
  stop(): Promise<unknown>;
}

/**
 * Starts an engine that acts as a ClickHouse server.
 *
 * @param configuration path of the engine's configuration, which can limit what the user may do
 */
export async function startClickHouse(directory: string, configuration?: string): Promise<ClickHouseServer> {
  const given = configuration === undefined ? [] : [configuration];
  let port = "0";
  const start = async () => {
    const started = startSource("test/support/engine/clickhouse-front.ts", [directory, port, ...given]);
    port = (await started.printed(/port (\d+)/))[1] ?? port;
    return started;
  };
  let running = await start();
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await running.stop("SIGKILL");
      running = await start();
    },
    stop: () => running.stop("SIGKILL"),
  };
}
