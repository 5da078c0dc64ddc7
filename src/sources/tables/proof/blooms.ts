import { keccak256 } from "../../../lib/hash/keccak.ts";
import { type Hex, toBytes } from "../../../lib/hex.ts";
import type { RpcLog } from "../../wire/rpc-block.ts";

export const BLOOM_BYTES = 256;

/** Maximum number of remembered entries, about 10 MB. Most addresses and topics occur in many logs. */
const MAX_ENTRIES = 65_536;

/** The three bits of an address or topic in a bloom. */
type Bits = readonly [number, number, number];

/** Computes the blooms of receipts (Yellow Paper, 4.4.1). Remembers the bits of addresses and topics. */
export class Blooms {
  readonly #known = new Map<Hex, Bits>();

  /** Writes the bloom of some logs into 256 zero bytes. */
  write(logs: readonly RpcLog[], bloom: Uint8Array): void {
    for (const { address, topics } of logs) {
      this.#add(address, bloom);
      for (const topic of topics) this.#add(topic, bloom);
    }
  }

  #add(entry: Hex, bloom: Uint8Array): void {
    for (const bit of this.#bitsOf(entry)) {
      const place = BLOOM_BYTES - 1 - (bit >> 3);
      bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7));
    }
  }

  #bitsOf(entry: Hex): Bits {
    const known = this.#known.get(entry);
    if (known !== undefined) return known;
    const hash = Buffer.from(keccak256(toBytes(entry)));
    const bit = (offset: number) => hash.readUInt16BE(offset) & 0x7ff;
    const bits: Bits = [bit(0), bit(2), bit(4)];
    if (this.#known.size >= MAX_ENTRIES) this.#known.clear();
    this.#known.set(entry, bits);
    return bits;
  }
}
