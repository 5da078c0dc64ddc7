import { expect, it } from "vitest";
import { PieceReader } from "./pieces.ts";

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function piecesOf(texts: string[], bytes: number): Promise<string[]> {
  const reader = new PieceReader(chunksOf(...texts));
  const buffer = Buffer.alloc(bytes);
  for (const pieces: string[] = []; ; ) {
    const piece = await reader.read(buffer);
    pieces.push(String(piece.bytes));
    if (piece.isLast) return pieces;
  }
}

it.each([
  [[], [""]],
  [["", ""], [""]],
  [["abc", ""], ["abc"]],
  [
    ["ab", "cd"],
    ["abc", "d"],
  ],
  [["abcdefgh"], ["abc", "def", "gh"]],
  [
    ["abc", "", "def"],
    ["abc", "def"],
  ],
])("chunks %j are the pieces %j", async (chunks, pieces) => {
  expect(await piecesOf(chunks, 3)).toEqual(pieces);
});
