import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { wholeBlocks } from "../../../test/support/era-files/whole-blocks.ts";
import { writeEra1, writeEre } from "../../../test/support/era-files/write-era.ts";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import type { Block } from "../../schema/block.ts";
import { checkHeaders } from "../archive/check-headers.ts";
import { toBlock } from "../conversion/convert.ts";
import { EraFile } from "../e2store/era-file.ts";
import { Prover } from "../prover/prover.ts";
import { verifyBlock } from "../verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import { AHEAD_LIMITS, archivedBlocks } from "./archived-blocks.ts";

const whole = wholeBlocks(4);
const encoded = whole.map((block) => block.encoded);
const fromRpc = whole.map(({ block, receipts }) => {
  const number = Number(block.number);
  const parsed = { block: parseBlock(block, number), receipts: parseReceipts(receipts, number) };
  expect(verifyBlock(parsed.block, parsed.receipts, 1)).toBeNull();
  return toBlock(parsed.block, parsed.receipts, "proven", { proof: "block", origin: "era" });
});

describe("the blocks of a file", () => {
  const folder = temporaryFolder();
  const prover = new Prover(1);
  const files: EraFile[] = [];

  async function read(content: Buffer, from?: number): Promise<Block[]> {
    const path = join(folder.path, `${files.length}.era`);
    writeFileSync(path, content);
    const file = await EraFile.open(path);
    files.push(file);
    await checkHeaders(file);
    const { signal } = new AbortController();
    const options = { chainId: 1, prover, limits: AHEAD_LIMITS, signal };
    const blocks: Block[] = [];
    for await (const block of archivedBlocks(file, from ?? file.firstBlock, options)) blocks.push(block);
    return blocks;
  }

  afterAll(async () => {
    await Promise.all(files.map((file) => file.close()));
    await prover.close();
    folder.remove();
  });

  it("equal those from an endpoint, in ere", async () => {
    expect(await read(writeEre(encoded))).toEqual(fromRpc);
  });

  it("equal those from an endpoint, in era1", async () => {
    expect(await read(writeEra1(encoded))).toEqual(fromRpc);
  });

  it("can be read from the middle on", async () => {
    const [, , third, fourth] = fromRpc;
    expect(await read(writeEre(encoded), third?.number)).toEqual([third, fourth]);
  });
});
