import type { Socket } from "node:net";
import type { Clock } from "../../lib/async/clock.ts";
import { addressGroup } from "../admission/address-group.ts";
import type { ConnectionLimits } from "../admission/connection-limits.ts";

/** The limit that leaves no room for a connection. */
export type Refusal = "all" | "address";

interface Connection {
  address: AddressConnections;
  requests: number;
}

interface AddressConnections {
  open: number;
  /** Connections without a running request, and when they became idle; the longest idle first. */
  idle: Map<Socket, number>;
  /** The other connections; the longest busy first. */
  busy: Set<Socket>;
}

/**
 * Minimum idle time of a connection that makes room for a new one. A request may be on its way on a
 * connection that was opened or used more recently.
 */
const MIN_IDLE_MS = 1_000;

/**
 * A busy connection makes room only if its address has more than this many times the connections of the
 * address of the new one: an address may have many for a good reason, for example if it is a proxy.
 */
const FAR_MORE = 2;

/**
 * Counts connections. When a limit is reached, the longest idle connection makes room for a new one. If all
 * are busy, one of the address with the most does: a few addresses could otherwise keep all others out, for
 * example with requests whose bodies never end.
 */
export class OpenConnections {
  readonly #limits: ConnectionLimits;
  readonly #clock: Clock;
  readonly #connections = new Map<Socket, Connection>();
  readonly #idle = new Map<Socket, number>();
  readonly #addresses = new Map<string, AddressConnections>();
  readonly refused: Record<Refusal, number> = { all: 0, address: 0 };
  /** Number of connections that were closed to make room for others. */
  displaced = 0;

  constructor(limits: ConnectionLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get open(): number {
    return this.#connections.size;
  }

  /**
   * Counts a new connection until it is closed; returns the limit that leaves no room, or null. A connection
   * that is given back after an upgrade request is not new.
   */
  admit(socket: Socket): Refusal | null {
    if (this.#connections.has(socket)) return null;
    const group = addressGroup(socket.remoteAddress ?? "");
    const address = this.#addresses.get(group) ?? { open: 0, idle: new Map(), busy: new Set() };
    const refusal = this.#refusalOf(address);
    if (refusal !== null) {
      this.refused[refusal]++;
      return refusal;
    }
    this.#addresses.set(group, address);
    address.open++;
    this.#connections.set(socket, { address, requests: 0 });
    this.#setIdle(socket, address);
    socket.once("close", () => {
      this.#forget(socket);
      if (address.open === 0) this.#addresses.delete(group);
    });
    return null;
  }

  #refusalOf(address: AddressConnections): Refusal | null {
    const { connections, addressConnections } = this.#limits;
    if (address.open >= addressConnections && !this.#displaceIdle(address.idle)) return "address";
    return this.open >= connections && !this.#displaceFor(address) ? "all" : null;
  }

  /** Makes room for a connection of an address; returns false if that would be unfair to the others. */
  #displaceFor(address: AddressConnections): boolean {
    const [longest] = this.#idle.keys();
    const owner = longest === undefined ? undefined : this.#connections.get(longest)?.address;
    if (owner !== undefined && owner.open >= address.open && this.#displaceIdle(this.#idle)) return true;
    const most = this.#addressWithMost();
    const [socket] = most?.busy ?? [];
    if (socket === undefined || most === undefined || most.open <= FAR_MORE * (address.open + 1))
      return false;
    this.#close(socket);
    return true;
  }

  #addressWithMost(): AddressConnections | undefined {
    let most: AddressConnections | undefined;
    for (const address of this.#addresses.values()) if (address.open > (most?.open ?? 0)) most = address;
    return most;
  }

  #displaceIdle(idle: ReadonlyMap<Socket, number>): boolean {
    const [longest] = idle;
    if (longest === undefined) return false;
    const [socket, sinceMs] = longest;
    if (this.#clock.monotonic() - sinceMs < MIN_IDLE_MS) return false;
    this.#close(socket);
    return true;
  }

  #close(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
    this.displaced++;
  }

  startRequest(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.requests++;
    this.#setBusy(socket, connection.address);
  }

  endRequest(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.requests--;
    if (connection.requests === 0) this.#setIdle(socket, connection.address);
  }

  #setIdle(socket: Socket, { idle, busy }: AddressConnections): void {
    const now = this.#clock.monotonic();
    busy.delete(socket);
    idle.set(socket, now);
    this.#idle.set(socket, now);
  }

  #setBusy(socket: Socket, { idle, busy }: AddressConnections): void {
    busy.add(socket);
    idle.delete(socket);
    this.#idle.delete(socket);
  }

  #forget(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    const { address } = connection;
    this.#connections.delete(socket);
    this.#idle.delete(socket);
    address.idle.delete(socket);
    address.busy.delete(socket);
    address.open--;
  }
}
