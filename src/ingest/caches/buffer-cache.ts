import type { BufferAssets } from "../../decode/families/buffers.ts";
import type { Hex } from "../../lib/hex.ts";
import type { BlockScopedCache, BlockTime } from "./block-scoped-cache.ts";
import { BlockScopedMap } from "./block-scoped-map.ts";

/** Maximum number of buffers: about 20 MB. Chains have hundreds, but anyone can create more. */
const MAX_BUFFERS = 50_000;

/** The underlying tokens of buffers, as their vaults report them. They are not stored. */
export class BufferCache implements BlockScopedCache, BufferAssets {
  readonly #assets = new BlockScopedMap<Hex | null>();

  get isFull(): boolean {
    return this.#assets.size > MAX_BUFFERS;
  }

  get(buffer: Hex): Hex | null | undefined {
    return this.#assets.get(buffer);
  }

  addAll(assets: ReadonlyMap<Hex, Hex | null>): void {
    for (const [buffer, asset] of assets) this.#assets.set(buffer, asset);
  }

  advanceTo(lastBlock: number): void {
    this.#assets.advanceTo(lastBlock);
  }

  rollbackTo({ number }: Pick<BlockTime, "number">): void {
    this.#assets.rollbackTo(number);
  }

  clear(): void {
    this.#assets.clear();
  }
}
