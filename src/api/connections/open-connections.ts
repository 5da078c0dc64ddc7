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
}

/**
 * Minimum idle time of a connection that makes room for a new one. A request may be on its way on a
 * connection that was opened or used more recently.
 */
const MIN_IDLE_MS = 1_000;

/** Counts connections. When a limit is reached, the longest idle connection makes room for a new one. */
export class OpenConnections {
  readonly #limits: ConnectionLimits;
  readonly #clock: Clock;
  readonly #connections = new Map<Socket, Connection>();
  readonly #idle = new Map<Socket, number>();
  readonly #addresses = new Map<string, AddressConnections>();
  readonly refused: Record<Refusal, number> = { all: 0, address: 0 };
  /** Number of idle connections that were closed to make room for others. */
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
    const address = this.#addresses.get(group) ?? { open: 0, idle: new Map() };
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

  #refusalOf({ open, idle }: AddressConnections): Refusal | null {
    const { connections, addressConnections } = this.#limits;
    if (open >= addressConnections && !this.#displace(idle)) return "address";
    return this.open >= connections && !this.#displace(this.#idle) ? "all" : null;
  }

  #displace(idle: ReadonlyMap<Socket, number>): boolean {
    const [longest] = idle;
    if (longest === undefined) return false;
    const [socket, sinceMs] = longest;
    if (this.#clock.monotonic() - sinceMs < MIN_IDLE_MS) return false;
    this.#forget(socket);
    socket.destroy();
    this.displaced++;
    return true;
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

  #setIdle(socket: Socket, { idle }: AddressConnections): void {
    const now = this.#clock.monotonic();
    idle.set(socket, now);
    this.#idle.set(socket, now);
  }

  #setBusy(socket: Socket, { idle }: AddressConnections): void {
    idle.delete(socket);
    this.#idle.delete(socket);
  }

  #forget(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#connections.delete(socket);
    this.#setBusy(socket, connection.address);
    connection.address.open--;
  }
}
