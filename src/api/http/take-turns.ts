import type { FastifyInstance, FastifyRequest } from "fastify";
import { fairShare } from "../../lib/queues/fair-share.ts";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import type { TurnOwner } from "../../lib/queues/turn-times.ts";
import { clientGroup } from "../access/client-address.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { ClientOverload, ServiceOverload } from "../admission/overload.ts";

type TurnLimits = Pick<ApiLimits, "connections" | "addressConnections">;

/** Number of requests of an address that may always wait if their turns are known to be short. */
const FEW = 8;

/**
 * Makes requests wait for their turn when the event loop has more of them than it can handle. The turns go to
 * addresses, not to clients, because keys are checked later. At most as many requests wait as there may be
 * connections, both in total and per address; an address may have half of the places that others leave. A
 * request whose turn is known to be short always has one of a few places. The probes of an address have turns
 * of their own, and are never rejected, because a service that does not answer them in time is restarted.
 *
 * @throws ClientOverload, ServiceOverload if more would wait
 */
export function takeTurns(app: FastifyInstance, turns: FairTurns, limits: TurnLimits): void {
  app.server.on("connection", () => turns.noteArrival());
  const waitingProbes = new Set<FastifyRequest>();
  app.addHook("onRequest", (request, reply, done) => {
    const isProbe = request.routeOptions.config.isProbe === true;
    const address = isProbe ? `probes of ${clientGroup(request)}` : clientGroup(request);
    const kind = `${request.method} ${request.routeOptions.url ?? "unknown path"}`;
    const others = turns.waiting - waitingProbes.size - turns.waitingOf(address);
    const refused = isProbe ? null : refusalOf({ client: address, kind }, { turns, others, limits });
    if (refused !== null) return done(refused);
    // A client that has disconnected needs no response, not even an error: making one takes a while.
    const isWanted = () => !request.raw.destroyed && !reply.raw.destroyed;
    const turn = turns.next(address, kind, isWanted);
    if (turn === null) return done();
    if (isProbe) waitingProbes.add(request);
    const leave = () => {
      waitingProbes.delete(request);
      turns.noteUnwanted();
    };
    reply.raw.once("close", leave);
    void turn.then(() => {
      reply.raw.off("close", leave);
      waitingProbes.delete(request);
      if (isWanted()) done();
    });
  });
}

/**
 * Returns the error for a request that may not wait for its turn; null if it may.
 *
 * @param others number of other addresses' requests that wait
 */
function refusalOf(
  owner: TurnOwner,
  { turns, others, limits }: { turns: FairTurns; others: number; limits: TurnLimits },
): ClientOverload | ServiceOverload | null {
  const { connections, addressConnections } = limits;
  const own = turns.waitingOf(owner.client);
  if (own < (turns.areShort(owner) ? FEW : 0)) return null;
  if (own >= addressConnections)
    return new ClientOverload(`at most ${addressConnections} may wait to be handled`);
  if (own < fairShare(others, connections)) return null;
  const reason = `${others + own} requests wait to be handled, and a client may have half of the places that others leave`;
  return new ServiceOverload(reason);
}
