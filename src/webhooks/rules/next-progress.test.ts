import { describe, expect, it } from "vitest";
import { Frame, type FrameEvent, type Position } from "../../streams/frame.ts";
import { NEW_STATE, type Progress } from "../webhook.ts";
import { MAX_JOURNAL, nextProgress, type Step } from "./next-progress.ts";
import { type Rules, readRules } from "./read-rules.ts";

const TOKEN = `0x${"9".repeat(40)}` as const;
const PRICE = "price_token_usd_robust_tick_1";
const CONTEXT = { method: "POST", now: 0, chains: ["eth"] } as const;
const WATCH = { id: "p", type: "price_crosses", token_address: TOKEN, level: 100 };

const rules = (...given: object[]) => readRules(given, CONTEXT);
const hashOf = (number: number, fork = 0): Position["hash"] => `0x${fork}${String(number).padStart(63, "0")}`;
const idOf = (number: number, fork = 0) => `${number}:${number}:${hashOf(number, fork)}`;

function frame(
  event: FrameEvent,
  number: number,
  data: object = {},
  { fork = 0, finalized = 0 } = {},
): Frame {
  const place = { block: number, hash: hashOf(number, fork), parent_hash: hashOf(number - 1, fork) };
  const position = { commit: number, block: number, hash: place.hash };
  return new Frame(event, position, [JSON.stringify({ chain: "eth", ...place, finalized, data })]);
}

const trades = (...prices: (number | null)[]) => ({ p: prices.map((price) => ({ [PRICE]: price })) });

/** Returns all deliveries for these frames, and the progress after them. */
function run(given: Rules, frames: Frame[], from: Progress = NEW_STATE) {
  const deliveries: Step["deliveries"][number][] = [];
  let progress = from;
  for (const one of frames) {
    const step = nextProgress(progress, one, given);
    progress = step.progress;
    deliveries.push(...step.deliveries);
  }
  return { progress, deliveries };
}

const crossings = ({ deliveries }: ReturnType<typeof run>) =>
  deliveries.map(({ event, fields, data }) => {
    const [crossing] = (data.p ?? []) as { direction: string; price: number }[];
    return [event, fields.block, crossing?.direction, crossing?.price];
  });

const START = frame("snapshot", 1, { p: [{ price_usd: 90 }] });

describe("a watched price", () => {
  it("crosses when a block's last price is on the other side of the level", () => {
    const found = run(rules(WATCH), [
      START,
      frame("block", 2, trades(95, 120, 99)),
      frame("block", 3, trades(99, 100)),
      frame("block", 4, trades(101)),
      frame("block", 5, {}),
      frame("block", 6, trades(102, 99.9, null)),
    ]);
    expect(crossings(found)).toEqual([
      ["block", 3, "up", 100],
      ["block", 6, "down", 99.9],
    ]);
    expect(found.progress.position).toBe(idOf(6));
  });

  it("is delivered only in the wanted direction, each time", () => {
    const frames = [START, ...[101, 99, 101, 99].map((price, i) => frame("block", 2 + i, trades(price)))];
    expect(crossings(run(rules({ ...WATCH, direction: "up" }), frames)).map(([, block]) => block)).toEqual([
      2, 4,
    ]);
    expect(crossings(run(rules({ ...WATCH, direction: "down" }), frames)).map(([, block]) => block)).toEqual([
      3, 5,
    ]);
  });

  it("does not cross with the first price of a token", () => {
    const unknown = frame("snapshot", 1, { p: [{ price_usd: null }] });
    const found = run(rules(WATCH), [unknown, frame("block", 2, trades(150)), frame("block", 3, trades(50))]);
    expect(crossings(found)).toEqual([["block", 3, "down", 50]]);
  });

  it("crosses again after a rollback removed the crossing", () => {
    const found = run(rules({ ...WATCH, direction: "up" }), [
      START,
      frame("block", 2, trades(101)),
      frame("block", 3, trades(99)),
      frame("rollback", 1),
      frame("block", 2, trades(102), { fork: 1 }),
    ]);
    expect(crossings(found)).toEqual([
      ["block", 2, "up", 101],
      ["rollback", 1, undefined, undefined],
      ["block", 2, "up", 102],
    ]);
  });
});

describe("a rollback of the block that a webhook began with", () => {
  it("forgets the side of the price, which may have come from that block", () => {
    const frames = [frame("snapshot", 2, { p: [{ price_usd: 101 }] }), frame("rollback", 1)];
    const undone = run(rules(WATCH), frames);
    expect(undone).toMatchObject({ deliveries: [], progress: { sides: { p: null } } });
    const below = frame("block", 2, trades(98), { fork: 1 });
    const later = run(rules(WATCH), [below, frame("block", 3, trades(102), { fork: 1 })], undone.progress);
    expect(crossings(later)).toEqual([["block", 3, "up", 102]]);
  });

  it("keeps the side if that block stays", () => {
    const frames = [
      frame("snapshot", 2, { p: [{ price_usd: 101 }] }),
      frame("block", 3),
      frame("rollback", 2),
    ];
    const kept = run(rules(WATCH), [...frames, frame("block", 3, trades(98), { fork: 1 })]);
    expect(crossings(kept)).toEqual([["block", 3, "down", 98]]);
  });
});

describe("a rollback", () => {
  const given = rules({ type: "trades" });
  const found = (n: number) => ({ trades: [{ n }] });

  it("names the deliveries that no longer hold, and no others", () => {
    const { deliveries } = run(given, [
      START,
      frame("block", 2, found(2)),
      frame("block", 3, found(3)),
      frame("block", 4),
      frame("block", 5, found(5)),
      frame("rollback", 2),
    ]);
    expect(deliveries.at(-1)).toMatchObject({
      event: "rollback",
      id: idOf(2),
      fields: { block: 2, rolled_back: [idOf(3), idOf(5)] },
    });
  });

  it("is not delivered if the receiver was sent nothing about the blocks", () => {
    const { deliveries, progress } = run(given, [START, frame("block", 2), frame("rollback", 1)]);
    expect([deliveries, progress.position]).toEqual([[], idOf(1)]);
  });

  it("forgets final blocks, and all but the newest blocks of a chain without final ones", () => {
    const { progress } = run(given, [
      START,
      frame("block", 2, found(2)),
      frame("block", 3, found(3), { finalized: 2 }),
    ]);
    expect(progress.journal.map(({ block }) => block)).toEqual([3]);
    const many = Array.from({ length: MAX_JOURNAL + 5 }, (_, i) => frame("block", 2 + i, found(i)));
    expect(run(given, [START, ...many]).progress.journal).toHaveLength(MAX_JOURNAL);
  });

  it("is delivered if it is deeper than the journal; then no price has a known side", () => {
    const { progress } = run(rules(WATCH), [
      START,
      frame("block", 2, trades(101)),
      frame("block", 3, trades(99)),
      frame("block", 4, trades(101), { finalized: 3 }),
    ]);
    expect(progress.floor).toBe(3);
    const exact = run(rules(WATCH), [frame("rollback", 3)], progress);
    expect(exact.deliveries.map(({ fields }) => fields.rolled_back)).toEqual([[idOf(4)]]);
    expect(exact.progress).toMatchObject({ sides: { p: "below" }, floor: 3 });
    const deeper = run(rules(WATCH), [frame("rollback", 2)], exact.progress);
    expect(deeper.deliveries).toMatchObject([{ event: "rollback", fields: { block: 2, rolled_back: [] } }]);
    expect(deeper.progress).toMatchObject({ sides: { p: null }, journal: [], floor: 2 });
    const { deliveries } = run(rules(WATCH), [frame("block", 3, trades(99), { fork: 1 })], deeper.progress);
    expect(deliveries).toEqual([]);
  });

  it("remembers how far back the blocks that it has forgotten reach", () => {
    const many = Array.from({ length: MAX_JOURNAL + 5 }, (_, i) => frame("block", 2 + i, found(i)));
    const { progress } = run(given, [START, ...many]);
    expect(progress.floor).toBe(6);
    expect(run(given, [frame("rollback", 5)], progress).deliveries).toHaveLength(1);
  });

  it("is delivered for a block whose delivery was interrupted and that another block replaced", () => {
    const { progress } = run(given, [START]);
    const attempted = { ...progress, attempted: idOf(3) };
    const replaced = run(given, [frame("block", 2), frame("block", 3, found(3), { fork: 1 })], attempted);
    expect(replaced.deliveries.map(({ event, fields }) => [event, fields.block, fields.rolled_back])).toEqual(
      [
        ["rollback", 2, [idOf(3)]],
        ["block", 3, undefined],
      ],
    );
    const same = run(given, [frame("block", 2), frame("block", 3, found(3))], attempted);
    expect(same.deliveries.map(({ event }) => event)).toEqual(["block"]);
    const undone = run(given, [frame("rollback", 0)], attempted);
    expect(undone.deliveries.map(({ fields }) => fields.rolled_back)).toEqual([[idOf(3)]]);
    for (const one of [replaced, same, undone]) expect(one.progress.attempted).toBeNull();
  });
});

it("a reset begins again and says why", () => {
  const given = rules(WATCH);
  const reset = new Frame("reset", null, ['{"chain":"eth","reason":"blocks were repaired"}']);
  const { deliveries, progress } = run(given, [START, frame("block", 2, trades(101)), reset]);
  expect(deliveries.at(-1)).toMatchObject({
    event: "reset",
    id: null,
    fields: { reason: "blocks were repaired" },
  });
  expect(progress).toEqual({ position: null, sides: {}, journal: [], floor: null, attempted: null });
});

describe("readRules", () => {
  it.each([
    [[], /got 0 subscriptions, expected 1 to 100/],
    [[{ type: "trade" }], /subscription 1 of 1: got the type "trade", expected one of trades/],
    [
      [{ type: "trades", min_us: 1 }],
      /unknown filter "min_us" \(did you mean "min_usd"\?\); its filters are/,
    ],
    [[{ type: "transfers", standard: "erc721", min_usd: 0 }], /min_usd: got 0; for standard=erc721/],
    [[{ type: "prices", token_address: [TOKEN] }], /"prices".*Use the type price_crosses, or a stream/],
    [[{ ...WATCH, level: 0 }], /subscription 1 of 1 \(price_crosses\): .*a number of US dollars above 0/],
    [[{ ...WATCH, token_address: "0x1" }], /Invalid parameter token_address/],
    [[{ ...WATCH, direction: "left" }], /up, down or both/],
    [[{ ...WATCH, levle: 3 }], /unknown filter "levle"/],
    [[WATCH, WATCH], /the id "p" is taken/],
    [[{ ...WATCH, id: null }], /got the id null, expected a string/],
    [[{ ...WATCH, id: "constructor" }], /the id "constructor" is reserved/],
    [[{ type: "trades", id: "__proto__" }], /the id "__proto__" is reserved/],
    [["trades"], /got "trades", expected a JSON object/],
  ])("refuses %j", (given, message) => {
    expect(() => readRules(given, CONTEXT)).toThrow(message);
  });

  it("subscribes a watch to the trades that have its price", () => {
    const { events, watches } = readRules([WATCH, { type: "pools", token_address: [TOKEN] }], CONTEXT);
    expect(events).toMatchObject([
      { id: "p", table: "dex_trades", required: PRICE },
      { id: "pools", table: "pool_metadata" },
    ]);
    expect(watches).toEqual([{ id: "p", token: TOKEN, priceType: PRICE, level: 100, direction: "both" }]);
  });
});
