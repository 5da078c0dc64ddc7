import { describe, expect, it } from "vitest";
import { hex } from "../../../test/support/markets/market.ts";
import { PegVotes, pegWeights } from "./peg-votes.ts";

const START = 1_700_000_040;

/** Makes a vote this many minutes after the start. */
const vote = (trader: number, minute: number, price = 1) => ({
  price,
  trader: hex("a", trader),
  timestamp: START + 60 * minute,
});

const weights = (end: number, ...votes: ReturnType<typeof vote>[]) => pegWeights(votes, START + 60 * end);

describe("votes on a peg", () => {
  it("are the first trades of each wallet in each minute", () => {
    const votes = new PegVotes();
    const added = [vote(1, 0), vote(1, 0.5), vote(2, 0.5), vote(1, 1), vote(1, 1.9), vote(2, 1.9)];
    expect(added.map((each) => votes.add(each))).toEqual([true, false, true, true, false, true]);
  });

  it("are the newest ones if more wallets trade than are kept", () => {
    const votes = new PegVotes();
    for (let minute = 0; minute < 60; minute += 1)
      for (let trader = 0; trader < 200; trader += 1) votes.add(vote(trader, minute, minute));
    const counted = votes.countedAt(START + 3600);
    expect(counted).toHaveLength(8192);
    expect(counted[0]).toEqual(vote(8, 19, 19));
    expect(counted.at(-1)).toEqual(vote(199, 59, 59));
  });

  it("are those of the last twenty minutes before, while a later minute is going on", () => {
    const votes = new PegVotes();
    for (let minute = 0; minute <= 20; minute += 1) votes.add(vote(minute, 65 * minute));
    const countedAt = (minute: number) =>
      votes.countedAt(START + 60 * minute).map(({ timestamp }) => timestamp);
    const times = Array.from({ length: 21 }, (_, i) => START + 60 * 65 * i);
    expect(countedAt(65 * 20)).toEqual(times.slice(0, 20));
    expect(countedAt(65 * 20 + 1)).toEqual(times.slice(1));
  });

  it("weigh 1 for each wallet, by the time for which they are its nearest", () => {
    expect(weights(60, vote(1, 0))).toEqual([1]);
    expect(weights(60, vote(1, 0), vote(1, 20))).toEqual([1 / 6, 5 / 6]);
    expect(weights(60, vote(1, 0), vote(2, 10), vote(1, 40), vote(1, 50))).toEqual([1 / 3, 1, 5 / 12, 1 / 4]);
  });

  it("weigh at most 1 together in each minute", () => {
    const crowd = Array.from({ length: 100 }, (_, trader) => vote(trader, 1));
    expect(weights(60, vote(200, 0), ...crowd)).toEqual([1, ...crowd.map(() => 0.01)]);
  });
});
