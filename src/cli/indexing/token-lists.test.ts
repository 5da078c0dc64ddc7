import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { readTokenLists } from "./token-lists.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

function listOf(file: string, ...symbols: string[]): string {
  const tokens = symbols.map((symbol, i) => ({
    ...{ chainId: 1, address: `0x${String(i + 1).repeat(40)}`, symbol, name: symbol, decimals: 18 },
  }));
  const path = join(folder.path, file);
  writeFileSync(path, JSON.stringify({ tokens }));
  return path;
}

describe("readTokenLists", () => {
  it("merges the files, of which the first that has a token counts", async () => {
    const files = [listOf("a.json", "A"), listOf("b.json", "B", "C")];
    const symbols = async (...names: string[]) =>
      [...(await readTokenLists(names, ethereum))]
        .map(([address, { symbol }]) => [address[2], symbol])
        .sort();
    expect(await symbols(...files)).toEqual([
      ["1", "A"],
      ["2", "C"],
    ]);
    expect(await symbols(...files.toReversed())).toEqual([
      ["1", "B"],
      ["2", "C"],
    ]);
    expect((await readTokenLists(undefined, ethereum)).size).toBe(0);
  });

  it("names the file that cannot be read, or is too large", async () => {
    const read = (file: string) => readTokenLists([listOf("good.json", "A"), file], ethereum);
    await expect(read("https://tokens.example/list.json")).rejects.toThrow(
      "--tokens https://tokens.example/list.json: it cannot be read (ENOENT); it must be a file on this machine",
    );
    const directory = join(folder.path, "directory");
    mkdirSync(directory);
    await expect(read(directory)).rejects.toThrow("directory: it cannot be read (EISDIR)");
    const large = listOf("large.json", "A");
    truncateSync(large, 64 * 2 ** 20 + 1);
    await expect(read(large)).rejects.toThrow("large.json: it has more than 67108864 bytes");
    await expect(read(listOf("empty.json"))).rejects.toThrow(
      "empty.json: it has no token of the chain with id 1",
    );
  });
});
