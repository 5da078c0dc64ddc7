import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexBytes, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { openEmbeddedEngine } from "../../../storage/engines/embedded-engine.ts";
import type { Engine } from "../../../storage/store.ts";
import {
  IS_SWAP,
  SWAP_AMOUNT_0,
  SWAP_AMOUNT_1,
  SWAP_FAMILIES,
  SWAP_FORM,
  SWAP_POOL,
  SWAP_TOKEN_0,
  SWAP_TOKEN_1,
} from "./swap-forms.ts";

const EMITTER = "ee".repeat(20);
const ID = "ab".repeat(32);
const TOKEN_0 = "a0".repeat(20);
const TOKEN_1 = "b1".repeat(20);
const word = (value: number | bigint) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const half = (value: bigint) => BigInt.asUintN(128, value).toString(16).padStart(32, "0");
const addressWord = (address: string) => address.padStart(64, "0");
const OTHER = addressWord("66".repeat(20));
const TOKENS = [TOKEN_0, TOKEN_1].map(addressWord);

interface Form {
  family: string;
  topics: string[];
  data: string[];
  /** Amounts as the pool sees them; default: 5 and -7. */
  amounts?: [string, string];
  pool?: string;
  tokens?: boolean;
}

const FORMS: Form[] = [
  {
    family: "ekubo",
    topics: [],
    // The amounts are int128. The first one is negative.
    data: ["66".repeat(20), ID, half(-(2n ** 100n)), half(7n), word(1)],
    amounts: [String(-(2n ** 100n)), "7"],
    pool: ID,
  },
  {
    family: "pancake-infinity-cl",
    topics: ["04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237", ID, OTHER],
    data: [-5, 7, 1, 1, 1, 1, 1].map(word),
    pool: ID,
  },
  {
    family: "pancake-infinity-bin",
    topics: ["3e8aae37f890eb1f9d63dd4d2062f3f0be757848a0f0760e4f3e53dad556e861", ID, OTHER],
    data: [-5, 7, 1, 1, 1].map(word),
    pool: ID,
  },
  {
    family: "tessera",
    topics: ["97ba0cd8ff13f074b3b1aeace7fa3bf7fe54bdf2d728b6a097e901073b2bad6a"],
    data: [...TOKENS, word(5), word(7), OTHER],
    tokens: true,
  },
  {
    family: "elfomofi",
    topics: ["be65a3f1f381da16732df786f571604a72b7c122cff3ae2b355566ddf01e2528", word(1), word(2)],
    data: [OTHER, OTHER, ...TOKENS, word(5), word(7)],
    tokens: true,
  },
  {
    family: "woofi",
    topics: ["0e8e403c2d36126272b08c75823e988381d9dc47f2f0a9a080d95f891d95c469", ...TOKENS, OTHER],
    data: [word(5), word(7), OTHER, OTHER, word(1), word(1)],
    tokens: true,
  },
  {
    family: "solidly",
    topics: ["b3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b", OTHER, OTHER],
    data: [5, 0, 0, 7].map(word),
  },
  {
    family: "solidly",
    topics: ["d78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822", OTHER, OTHER],
    data: [5, 0, 0, 7].map(word),
  },
  {
    family: "trident",
    topics: ["cd3829a3813dc3cdd188fd3d01dcf3268c16be2fdd2dd21d0665418816e46062", OTHER, ...TOKENS],
    data: [5, 7].map(word),
    tokens: true,
  },
  {
    family: "fluid",
    topics: ["dc004dbca4ef9c966218431ee5d9133d337ad018dd5b5c5493722803f75c64f7"],
    data: [1, 5, 7, 1].map(word),
  },
  {
    family: "euler-swap-v2",
    topics: ["8337ab1cd063c6a0121e4b67ad00ec5640783101bb89ad879ffb0fe28b503e95", OTHER, OTHER],
    data: [4, 0, 0, 7, 1, 0, 1, 1].map(word),
  },
  {
    family: "algebra-integral",
    topics: ["121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79", OTHER, OTHER],
    data: [5, -7, 1, 1, -1, 1, 0].map(word),
  },
  {
    family: "smardex",
    topics: ["a4228e1eb11eb9b31069d9ed20e7af9a010ca1a02d4855cee54e08e188fcc32c", OTHER, OTHER],
    data: [5, -7].map(word),
  },
  {
    family: "metric",
    topics: ["87d25816ca01843f551b4caa5eea03b5173c84c383573c63081fb7575378276e", OTHER, OTHER],
    data: [1, 5, -7, -1, 1, 1].map(word),
  },
  {
    family: "metric",
    topics: ["9734819749a91fc3be03ea83205f924ee08479bd3f0da48efc91d94d050cac1e", OTHER, OTHER],
    data: [word(1), half(5n) + half(-7n), word(1)],
  },
  {
    family: "metric-v0",
    topics: ["cd8b75a7fb6cb82ab3acded68ac53af5c43d19b51a91b9d5640bb73622dbdf57"],
    data: [OTHER, OTHER, ...[1, 5, -7, -1, 1].map(word)],
  },
];

/** Returns a row of `logs` with the columns that the forms read. */
function logRow(topics: readonly string[], data: string): Sql {
  const topicAt = (i: number) => (topics[i] === undefined ? sql`NULL` : hexBytes(`0x${topics[i]}` as Hex));
  const column = (i: number) => sql`CAST(${topicAt(i)} AS Nullable(FixedString(32)))`;
  return sql`SELECT CAST(${hexBytes(`0x${EMITTER}`)} AS FixedString(20)) AS address,
    ${hexBytes(`0x${data}`)} AS data, ${column(0)} AS topic_0, ${column(1)} AS topic_1,
    ${column(2)} AS topic_2, ${column(3)} AS topic_3`;
}

describe("the forms of swaps", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-forms-"));
  let engine: Engine;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder });
  });

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  const read = (row: Sql) =>
    engine.query(sql`SELECT ${SWAP_FORM}, toBool(${IS_SWAP}) AS swap, ${SWAP_FAMILIES} AS families, lower(hex(${SWAP_POOL})) AS pool,
      toString(${SWAP_AMOUNT_0}) AS amount0, toString(${SWAP_AMOUNT_1}) AS amount1,
      lower(hex(${SWAP_TOKEN_0})) AS token0, lower(hex(${SWAP_TOKEN_1})) AS token1 FROM (${row})`);

  it.each(FORMS)("of $family read what the log says", async ({ family, topics, data, ...expected }) => {
    const { amounts: [amount0, amount1] = ["5", "-7"], pool = EMITTER, tokens } = expected;
    const [token0, token1] = tokens ? [TOKEN_0, TOKEN_1] : ["", ""];
    expect(await read(logRow(topics, data.join("")))).toMatchObject([
      { swap: true, families: expect.arrayContaining([family]), pool, amount0, amount1, token0, token1 },
    ]);
    expect(await read(logRow(topics, `${data.join("")}00`))).toMatchObject([{ swap: false, families: [] }]);
  });
});
