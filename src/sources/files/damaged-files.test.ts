import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { EncodedBlock } from "../../../test/support/era-files/encoded-block.ts";
import { wholeBlocks } from "../../../test/support/era-files/whole-blocks.ts";
import { writeEra1, writeEre } from "../../../test/support/era-files/write-era.ts";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import type { Block } from "../../schema/block.ts";
import { checkHeaders } from "../archive/check-headers.ts";
import { EraFile } from "../e2store/era-file.ts";
import { Prover } from "../prover/prover.ts";
import { rlp } from "../verify/encoding.ts";
import { AHEAD_LIMITS, archivedBlocks } from "./archived-blocks.ts";

/** Number of damaged files per test. Set QUARRY_DAMAGES=2000 for a longer run. */
const DAMAGES = Number(process.env.QUARRY_DAMAGES ?? 25);

const folder = temporaryFolder();
const prover = new Prover(1);
const blocks = wholeBlocks(2).map(({ encoded }) => encoded);
const PROOF = Buffer.from("a proof that is not read");
const formats = [
  { name: "ere", write: (all: readonly EncodedBlock[]) => writeEre(all, { proof: PROOF }) },
  { name: "era1", write: (all: readonly EncodedBlock[]) => writeEra1(all) },
];

afterAll(async () => {
  await prover.close();
  folder.remove();
});

async function read(content: Uint8Array): Promise<Block[]> {
  const path = join(folder.path, "damaged.ere");
  writeFileSync(path, content);
  const file = await EraFile.open(path);
  try {
    await checkHeaders(file);
    const { signal } = new AbortController();
    const found: Block[] = [];
    const options = { chainId: 1, prover, limits: AHEAD_LIMITS, signal };
    for await (const block of archivedBlocks(file, file.firstBlock, options)) found.push(block);
    return found;
  } finally {
    await file.close();
  }
}

const NAMES_FILE = /damaged\.ere, (offset \d+|block \d+|end of the file|index)/;

describe.each(formats)("a damaged file of the format $name", ({ write }) => {
  const intact = Buffer.from(write(blocks));

  it("with any byte changed is refused by name, unless the change has no effect", {
    timeout: 120_000,
  }, async () => {
    const expected = await read(intact);
    const place = fc.nat(intact.length - 1);
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(intact);
        damaged.writeUInt8(damaged.readUInt8(at) ^ change, at);
        const outcome = await read(damaged).catch((error: Error) => error.message);
        // Snappy can encode the same data in several ways, so a changed byte may not matter.
        if (typeof outcome === "string") expect(outcome).toMatch(NAMES_FILE);
        else expect(outcome).toEqual(expected);
      }),
      { numRuns: DAMAGES },
    );
  });

  it("that is cut anywhere is refused by name", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(intact.length - 1), async (length) => {
        await expect(read(intact.subarray(0, length))).rejects.toThrow(NAMES_FILE);
      }),
      { numRuns: DAMAGES },
    );
  });

  it("with blocks in another order is refused by name", async () => {
    await expect(read(write(blocks.toReversed()))).rejects.toThrow(
      /damaged\.ere, .*its header belongs to block|parent hash/,
    );
  });

  it("with a log removed is refused by name", async () => {
    const [first, ...rest] = blocks;
    const without = first && withoutLog(first);
    if (without === undefined) throw new Error("there is no block");
    await expect(read(write([without, ...rest]))).rejects.toThrow(/damaged\.ere, block \d+ .*receipts root/);
  });
});

type Receipt = [Uint8Array, Uint8Array, Uint8Array, Uint8Array[]];

/**
 * Returns the block without one log: the first one of the first transaction with logs. It is missing from
 * both forms of the receipts.
 */
function withoutLog(block: EncodedBlock): EncodedBlock {
  const slim = RLP.decode(block.slimReceipts) as Receipt[];
  const full = RLP.decode(block.fullReceipts) as (Receipt | Uint8Array)[];
  const at = slim.findIndex((receipt) => receipt[3].length > 0);
  slim[at]?.[3].shift();
  const target = full[at];
  if (target instanceof Uint8Array) {
    const receipt = RLP.decode(target.subarray(1)) as Receipt;
    receipt[3].shift();
    full[at] = Buffer.concat([target.subarray(0, 1), rlp(receipt)]);
  } else target?.[3].shift();
  return { ...block, slimReceipts: rlp(slim), fullReceipts: rlp(full) };
}

describe("a file that would cost much to decode", () => {
  const [first] = blocks;
  if (first === undefined) throw new Error("there is no block");

  it("is refused when a header is too long", async () => {
    const long = { ...first, header: rlp([new Uint8Array(20_000)]) };
    await expect(read(writeEre([long]))).rejects.toThrow(
      /damaged\.ere, block \d+ .*the header has 20006 bytes, above the limit of 16384/,
    );
  });

  it("is refused when lists are nested 20,000 deep", async () => {
    await expect(read(writeEre([{ ...first, body: nestedLists(20_000) }]))).rejects.toThrow(
      /damaged\.ere, block \d+ .*the body has 1 items, expected/,
    );
  });

  it("is refused when a total difficulty has another length", async () => {
    const before = { ...first, difficulty: 1n };
    await expect(read(writeEre([before], { difficultyBytes: 0 }))).rejects.toThrow(
      /damaged\.ere, block \d+ .*its total difficulty has 0 bytes, expected 32/,
    );
  });
});

/** Encodes lists that are nested to this depth. */
function nestedLists(depth: number): Buffer {
  const prefixes: Buffer[] = [];
  let length = 0;
  for (let i = 0; i < depth; i++) {
    const size = Buffer.from(length.toString(16).padStart(8, "0"), "hex").subarray(-lengthBytes(length));
    const prefix =
      length <= 55 ? Buffer.from([0xc0 + length]) : Buffer.concat([Buffer.from([0xf7 + size.length]), size]);
    prefixes.push(prefix);
    length += prefix.length;
  }
  return Buffer.concat(prefixes.reverse());
}

function lengthBytes(length: number): number {
  return Math.ceil((32 - Math.clz32(length)) / 8);
}
