import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { AddressChange, AddressChanges } from "../../store.ts";
import { EngineUnreachable, engineFailure } from "../engine-failure.ts";
import type { ServerAddress } from "./server-address.ts";

/** Where a statement is sent, and the settings that it needs there in addition to its own. */
export interface Address {
  client: ClickHouseClient;
  settings: ClickHouseSettings;
}

type Send<T> = (address: Address) => Promise<T>;

/**
 * Sends statements to one of several addresses of the same server or its replicas, and to the next one once
 * that address no longer responds.
 */
export class AddressFailover implements AddressChanges {
  readonly #addresses: readonly ServerAddress[];
  #current = 0;
  /**
   * The address that responded last. While none responds, statements try them all, which does not count as a
   * change.
   */
  #responding = 0;
  #newest: AddressChange | null = null;
  #listener: (change: AddressChange) => void = () => {};
  changes = 0;

  /** @param addresses at least one */
  constructor(addresses: readonly ServerAddress[]) {
    this.#addresses = addresses;
  }

  follow(listener: (change: AddressChange) => void): void {
    this.#listener = listener;
    if (this.#newest !== null) listener(this.#newest);
  }

  /** Starts with an address that has responded. */
  startAt(index: number): void {
    this.#current = index;
    this.#responded(index);
  }

  get count(): number {
    return this.#addresses.length;
  }

  /** Sends a read, and repeats it at the next address if one does not respond. */
  read<T>(send: Send<T>, signal?: AbortSignal): Promise<T> {
    return this.#send(send, (error) => isUnreachable(error) && signal?.aborted !== true);
  }

  /**
   * Sends a write. It is repeated only if it cannot have reached the server: otherwise it may have been
   * carried out, and the caller must find out whether it was.
   */
  write<T>(send: Send<T>): Promise<T> {
    return this.#send(send, isUnsent);
  }

  /**
   * Sends a statement to every address and waits until each has responded or failed. Throws if one failed.
   */
  async everywhere<T>(send: Send<T>): Promise<T[]> {
    const results = await Promise.allSettled(
      this.#addresses.map((address) => address.run((client) => send({ client, settings: {} }))),
    );
    return results.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#addresses.map((address) => address.close()));
  }

  async #send<T>(send: Send<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const used = this.#current;
      const settings = attempt === 1 ? {} : REPEATED;
      try {
        const answer = await this.#at(used).run((client) => send({ client, settings }));
        this.#responded(used);
        return answer;
      } catch (error) {
        if (isUnreachable(error)) this.#leave(used);
        if (attempt === this.#addresses.length || !mayRepeat(error)) throw error;
      }
    }
  }

  /** Moves on from an address that failed, unless an earlier failure has already done so. */
  #leave(index: number): void {
    if (this.#current === index) this.#current = (index + 1) % this.#addresses.length;
  }

  /**
   * Records that an address responded. Ignores an earlier address: a statement that began before the change
   * may still get its response from there.
   */
  #responded(index: number): void {
    if (index === this.#responding || index !== this.#current) return;
    const change = { from: this.#at(this.#responding).host, to: this.#at(index).host };
    this.#responding = index;
    this.#newest = change;
    this.changes++;
    this.#listener(change);
  }

  #at(index: number): ServerAddress {
    return this.#addresses[index] as ServerAddress;
  }
}

/**
 * A repeated statement has the id of its first run, which may still be in progress, so the server must end
 * that run.
 */
const REPEATED: ClickHouseSettings = { replace_running_query: 1 };

function isUnreachable(error: unknown): boolean {
  return engineFailure(error) instanceof EngineUnreachable;
}

/** Failures that come before a connection exists. */
const UNSENT_CODES: readonly unknown[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

/** Returns whether a statement failed before any part of it was sent. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof EngineUnreachable ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.every(isUnsent);
  const { code, syscall } = cause as NodeJS.ErrnoException;
  return UNSENT_CODES.includes(code) || syscall === "connect";
}
