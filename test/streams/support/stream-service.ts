import { setMaxListeners } from "node:events";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { type ApiOptions, createServer } from "../../../src/api/http/server.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { CommitFollower } from "../../../src/cli/serving/commit-follower.ts";
import { StateLoader } from "../../../src/cli/serving/state-loader.ts";
import { systemClock } from "../../../src/lib/async/clock.ts";
import { createLogger } from "../../../src/lib/log.ts";
import type { FillSource } from "../../../src/reads/served/fill-misses.ts";
import { ETH } from "../../../src/reads/support/market.ts";
import { ServingState } from "../../../src/serving/serving-state.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import type { ChainStore, CommitListener, Engine } from "../../../src/storage/store.ts";

const BYTES = 64 * 2 ** 20;

/** A service on its own port, which can be killed. */
export interface StreamService {
  url: string;
  app: FastifyInstance;
  serving: ServingState;
  /** Stops the service, as SIGTERM does. */
  stop(): Promise<void>;
  /** Cuts all connections, as the end of a process does. */
  kill(): Promise<void>;
}

/** Passes commits on to the state of the running service, so a killed process leaves no listener behind. */
export class Writer implements CommitListener {
  current: ServingState | null = null;
  extended: CommitListener["extended"] = (commit, rows) => this.current?.extended(commit, rows);
  rolledBack: CommitListener["rolledBack"] = (commit) => this.current?.rolledBack(commit);
  replaced: CommitListener["replaced"] = (commit) => this.current?.replaced(commit);
}

/** Starts a service in the process that writes the chain. */
export async function serveWriter(
  engine: Engine,
  store: ChainStore,
  writer: Writer,
  { port, chain = ETH, ...options }: Partial<ApiOptions> & { port?: number; chain?: Chain } = {},
): Promise<StreamService> {
  const serving = new ServingState(BYTES);
  serving.startAt(await store.committed());
  writer.current = serving;
  const readable = { chain, store, serving };
  const reader = { engine, chains: [readable] };
  const app = await createServer({ ...reader, ...options });
  const stop = new AbortController();
  loadIn({ reader, readable, limits: { signal: stop.signal } }, serving);
  const end = () => {
    stop.abort();
    if (writer.current === serving) writer.current = null;
  };
  return listening(app, serving, end, port);
}

/** Starts a service that follows the commits of another process. */
export async function serveFollower(
  engine: Engine,
  options: Partial<ApiOptions> = {},
): Promise<StreamService> {
  const serving = new ServingState(BYTES);
  const log = chainCommits(engine, ETH.name);
  const readable = { chain: ETH, store: log, serving };
  const reader = { engine, chains: [readable] };
  const stop = new AbortController();
  const source = { reader, readable, limits: { signal: stop.signal } };
  const app = await createServer({ ...reader, ...options });
  const follower = new CommitFollower(source, serving, log, { logger: createLogger("silent") });
  await new Promise<void>((resolve) => void follower.run(resolve));
  loadIn(source, serving);
  return listening(app, serving, () => stop.abort());
}

/** Loads the state in the background, as a service does. */
function loadIn(source: FillSource, serving: ServingState): void {
  if (source.limits.signal !== undefined) setMaxListeners(0, source.limits.signal);
  const logger = createLogger("silent");
  void new StateLoader(source, serving, { logger, clock: systemClock }).run();
}

async function listening(
  app: FastifyInstance,
  serving: ServingState,
  end: () => void,
  port = 0,
): Promise<StreamService> {
  await app.listen({ port, host: "127.0.0.1" });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    app,
    serving,
    async stop() {
      await app.close();
      end();
    },
    async kill() {
      end();
      app.server.closeAllConnections();
      for (const socket of app.websocketServer.clients) socket.terminate();
      await app.close();
    },
  };
}
