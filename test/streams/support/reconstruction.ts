import type { ServerEvent } from "./event-reader.ts";

export type Fields = Record<string, unknown>;

interface StreamedBlock {
  number: number;
  hash: string;
  timestamp: number;
}

/**
 * The data that a client has after the frames of a stream. Records every frame that contradicts
 * docs/streams.md.
 */
export class Reconstruction {
  /** The blocks since the snapshot, starting with the snapshot's block. */
  #blocks: StreamedBlock[] = [];
  readonly #rows = new Map<string, { block: number; row: Fields }[]>();
  readonly #states = new Map<string, Map<string, Fields>>();
  readonly faults: string[] = [];
  /**
   * Numbers of the blocks whose parent is not the preceding block. A chain that a test writes itself may have
   * some.
   */
  readonly orphans: number[] = [];
  /** The id of the last frame; null before the first one and after a reset. */
  lastId: string | null = null;
  rollbacks = 0;
  /** Number of rows that were received, including rows of blocks that were rolled back. */
  received = 0;

  /** The blocks that the client has. The first one came with the snapshot. */
  get blocks(): readonly StreamedBlock[] {
    return this.#blocks;
  }

  /** Number of rows that the client has now. */
  get rows(): number {
    return [...this.#rows.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Number of prices, candles and pools that the client has now. */
  get states(): number {
    return [...this.#states.values()].reduce((sum, { size }) => sum + size, 0);
  }

  rowsOf(id: string): Fields[] {
    return (this.#rows.get(id) ?? []).map(({ row }) => row);
  }

  statesOf(id: string): Fields[] {
    return [...(this.#states.get(id)?.values() ?? [])];
  }

  take({ id, event, data }: ServerEvent): void {
    if (id !== null) {
      if (event === "block" && id === this.lastId) this.faults.push(`${id} came twice`);
      this.lastId = id;
    }
    const block = { number: Number(data.block), hash: String(data.hash), timestamp: Number(data.timestamp) };
    if (event === "snapshot") this.#begin(block);
    if (event === "reset") this.#reset(String(data.reason));
    if (event === "rollback") this.#rollback(block);
    if (event === "block") this.#extend(block, String(data.parent_hash));
    for (const [name, values] of Object.entries((data.data ?? {}) as Record<string, Fields[]>))
      this.#keep(name, values, block.number);
  }

  #begin(block: StreamedBlock): void {
    if (this.#blocks.length > 0) this.faults.push(`a second snapshot, at block ${block.number}`);
    this.#blocks = [block];
  }

  /**
   * A reset is a fault: the service can find every block that the client has received, so the stream never
   * needs to start again.
   */
  #reset(reason: string): void {
    this.faults.push(`the stream was reset: ${reason}`);
    this.lastId = null;
  }

  #extend(block: StreamedBlock, parentHash: string): void {
    const before = this.#blocks.at(-1);
    if (before?.number !== block.number - 1)
      this.faults.push(`block ${block.number} after ${before?.number}`);
    if (before?.hash !== parentHash) this.orphans.push(block.number);
    this.#blocks.push(block);
  }

  #rollback(to: StreamedBlock): void {
    this.rollbacks++;
    const [first] = this.#blocks;
    // If the rollback goes below the snapshot, no rows remain: the client's rows began after the snapshot's
    // block.
    this.#blocks =
      first !== undefined && to.number < first.number
        ? [to]
        : this.#blocks.filter(({ number }) => number <= to.number);
    if (this.#blocks.at(-1)?.hash !== to.hash)
      this.faults.push(`rolled back to ${to.hash}, which was not streamed`);
    for (const [id, rows] of this.#rows)
      this.#rows.set(
        id,
        rows.filter(({ block }) => block <= to.number),
      );
    for (const values of this.#states.values())
      for (const [key, { timestamp_close: close }] of values)
        if (Number(close) >= to.timestamp) values.delete(key);
  }

  #keep(id: string, values: Fields[], block: number): void {
    for (const value of values) {
      if ("record_index" in value) {
        const rows = this.#rows.get(id) ?? [];
        this.#rows.set(id, rows);
        rows.push({ block, row: value });
        this.received++;
      } else {
        const states = this.#states.get(id) ?? new Map<string, Fields>();
        this.#states.set(id, states);
        states.set(String(value.timestamp_open ?? value.pool_address ?? value.token_address), value);
      }
    }
  }
}
