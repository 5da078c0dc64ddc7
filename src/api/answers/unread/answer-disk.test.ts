import { afterEach, describe, expect, it } from "vitest";
import { answerDiskBytes, DiskShare } from "./answer-disk.ts";

const LIMITS = { answerDiskBytes: 2_048, clientDiskBytes: 1_024 };

const shares: DiskShare[] = [];
afterEach(() => {
  for (const share of shares.splice(0)) share.release();
  expect(answerDiskBytes()).toBe(0);
});

function shareOf(client: string): DiskShare {
  const share = new DiskShare(client, LIMITS);
  shares.push(share);
  return share;
}

/** Takes as many bytes as possible, in pieces. Returns their number, and the code of the first error. */
async function fill(share: DiskShare, piece = 16): Promise<[taken: number, code: unknown]> {
  for (let taken = 0; ; taken += piece) {
    try {
      await share.take(piece);
    } catch (error) {
      return [taken, (error as { code: unknown }).code];
    }
  }
}

describe("the disk for unread answers", () => {
  it("has room for another client, however many take as much as they can", async () => {
    const taken: unknown[] = [];
    for (const client of ["a", "b", "c", "d"]) taken.push(await fill(shareOf(client)));
    expect(taken).toEqual([
      [1_024, "busy"],
      [512, "disk-full"],
      [256, "disk-full"],
      [128, "disk-full"],
    ]);
    await shareOf("e").take(64);
  });

  it("counts the answers of one client together", async () => {
    for (const share of [shareOf("a"), shareOf("a")]) await share.take(512);
    await expect(shareOf("a").take(1)).rejects.toThrow("the maximum for one client");
    await shareOf("b").take(512);
  });

  it("gives a client more when others have read theirs", async () => {
    const first = shareOf("a");
    await first.take(1_024);
    const second = shareOf("b");
    expect(await fill(second)).toEqual([512, "disk-full"]);
    first.release();
    expect(await fill(second)).toEqual([512, "busy"]);
  });
});
