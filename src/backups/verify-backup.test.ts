import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { BackupTarget } from "./targets/target.ts";
import { checkedPart, DamagedPart } from "./verify-backup.ts";

const CONTENT = Buffer.from("a part of a table");
const part = {
  id: "ab".repeat(32),
  name: "all_1_1_0",
  bytes: CONTENT.length,
  sha256: createHash("sha256").update(CONTENT).digest("hex"),
};

/** Returns a target whose only file has this content. */
function targetOf(read: () => AsyncIterable<Uint8Array>): BackupTarget {
  return { place: "a bucket", read } as Partial<BackupTarget> as BackupTarget;
}

async function bytesOf(target: BackupTarget): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of checkedPart(target, part)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it("gives the bytes of the file of a part", async () => {
  const target = targetOf(async function* () {
    yield CONTENT.subarray(0, 5);
    yield CONTENT.subarray(5);
  });
  expect(await bytesOf(target)).toEqual(CONTENT);
});

it("stops reading a file that is longer than the part, before it fills the disk of a restore", async () => {
  let sent = 0;
  const target = targetOf(async function* () {
    for (; sent < 1_000; sent++) yield CONTENT;
  });
  let given = 0;
  const reading = async () => {
    for await (const chunk of checkedPart(target, part)) given += chunk.length;
  };
  await expect(reading()).rejects.toThrow(DamagedPart);
  expect(given).toBeLessThanOrEqual(part.bytes);
  expect(sent).toBeLessThan(3);
});
