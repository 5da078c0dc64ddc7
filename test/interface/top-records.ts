import { expect } from "vitest";
import { NOBODY, strangers, tradedTokens } from "./support/expected.ts";
import { decided, rule, section } from "./support/rules.ts";
import { answer, asked, get, post, queryOf, refused, sql, type TradeRow, the } from "./support/service.ts";

const PATH = "/v1/topk-api";
const TRADES = `${PATH}/dex-trades`;
const MAX_URL = 2048;

type Groups = Record<string, { record_index: number }[]>;

/**
 * Returns the record indexes of a token's trades, ranked by a column according to the interface's definition.
 */
function ranked(token: string, by: keyof TradeRow, order: "asc" | "desc"): number[] {
  const sign = order === "asc" ? 1 : -1;
  const rank = (row: TradeRow) => row[by] as number | null;
  return the()
    .trades.filter((row) => row.token_address === token)
    .toSorted((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      if (x === null || y === null)
        return x === y ? sign * (a.record_index - b.record_index) : x === null ? 1 : -1;
      return sign * (x - y || a.record_index - b.record_index);
    })
    .map(({ record_index }) => record_index);
}

async function indexes(question: object): Promise<number[][]> {
  const groups = await answer<Groups>(TRADES, { groupby: "token_address", ...question });
  return Object.values(groups).map((records) => records.map(({ record_index }) => record_index));
}

/** Returns a query string that makes the path and the query together exactly this many characters long. */
function urlOf(length: number): string {
  const start = `${TRADES}?${queryOf({ groupby: "token_address", eq: NOBODY })}&pad=`;
  return start.slice(TRADES.length) + "x".repeat(length - start.length);
}

section("2. Top records per group", import.meta.url, () => {
  const tokens = () => tradedTokens().slice(0, 2) as [string, string];

  rule("Methods: GET and POST", async () => {
    const eq = tokens();
    const [byGet, byPost] = [
      await get(TRADES, { groupby: "token_address", eq }),
      await post(TRADES, { groupby: "token_address", eq }),
    ];
    expect([byGet.status, byPost.status, byPost.body]).toEqual([200, 200, byGet.body]);
    const { status, headers } = await asked("DELETE", TRADES, {});
    expect([status, headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
  });

  const tables: Record<string, [groupby: string, value: () => string | number]> = {
    transactions: ["transaction_hash", () => the().trades[0]?.transaction_hash ?? ""],
    blocks: ["block_number", () => the().trades[0]?.block_number ?? 0],
    logs: ["address", () => the().oak.token],
    erc20: ["token_address", () => the().oak.token],
    erc721: ["from_address", () => "0x0000000000000000000000000000000000000000"],
    "dex-trades": ["token_address", () => the().oak.token],
    "token-balances": ["wallet_address", () => the().oak.pool],
  };
  for (const [table, [groupby, value]] of Object.entries(tables)) {
    rule(`Valid <table_name> values: \`${table}\``, async () => {
      const groups = await answer<Groups>(`${PATH}/${table}`, { groupby, eq: [value()], size: 3 });
      const name = table.replace("-", "_");
      const { body } = await post("/v1/sql", { query: `SELECT * FROM eth_${name} LIMIT 1` });
      const [records = []] = Object.values(groups);
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) {
        expect(Object.keys(record).toSorted()).toEqual(Object.keys(body[0]).toSorted());
        expect(record).toMatchObject({ [groupby]: value(), timestamp: expect.any(Number) });
      }
    });
  }

  rule("Valid <table_name> values: no other", async () => {
    const { status, body } = await get(`${PATH}/trades`, { groupby: "side", eq: "buy" });
    expect([status, body.error]).toEqual([404, expect.stringContaining("dex-trades")]);
  });

  rule("groupby: string, field of the table to group by", async () => {
    const groups = await answer<Groups>(TRADES, { groupby: "side", eq: ["buy", "sell"], size: 1000 });
    for (const side of ["buy", "sell"]) {
      expect(groups[side]?.length).toBe(the().trades.filter((row) => row.side === side).length);
    }
    await refused(TRADES, { eq: "buy" }, "^Missing required parameter: groupby$");
    await refused(TRADES, { groupby: "sides", eq: "buy" }, /groupby: got "sides" \(did you mean "side"/);
  });

  rule("eq: string or list, the exact values of groupby; on GET, comma-separated", async () => {
    const eq = tokens();
    const byList = await post(TRADES, { groupby: "token_address", eq });
    for (const given of [
      await get(TRADES, { groupby: "token_address", eq: eq.join(",") }),
      await post(TRADES, { groupby: "token_address", eq: eq.join(",") }),
    ]) {
      expect(given.body).toEqual(byList.body);
    }
    expect(Object.keys(byList.body)).toEqual(eq);
    await refused(TRADES, { groupby: "side" }, "^Missing required parameter: eq$");
  });

  for (const sortby of ["amount_usd", "timestamp", "record_index"]) {
    rule(`sortby: string, field used to rank records within each group: \`${sortby}\``, async () => {
      for (const order of ["asc", "desc"] as const) {
        expect(await indexes({ eq: tokens(), sortby, order, size: 25 })).toEqual(
          tokens().map((token) => ranked(token, sortby, order).slice(0, 25)),
        );
      }
    });
  }

  rule("order: string, desc or asc; default desc", async () => {
    const question = { eq: tokens(), sortby: "amount_usd", size: 5 };
    expect(await indexes(question)).toEqual(await indexes({ ...question, order: "desc" }));
    expect(await indexes(question)).toEqual(
      tokens().map((token) => ranked(token, "amount_usd", "desc").slice(0, 5)),
    );
    await refused(
      TRADES,
      { groupby: "side", eq: "buy", order: "up" },
      'order: got "up", expected desc or asc',
    );
  });

  rule("size: integer, number of top records per group; default 1", async () => {
    const [token] = tokens();
    expect((await indexes({ eq: [token] }))[0]).toHaveLength(1);
    for (const size of [1, 2, 9]) expect((await indexes({ eq: [token], size }))[0]).toHaveLength(size);
    await refused(
      TRADES,
      { groupby: "side", eq: "buy", size: 0 },
      "size: got .?0.?, expected an integer from 1",
    );
  });

  rule("Response: JSON object whose keys are the values given in eq", async () => {
    const eq = [tokens()[0].toUpperCase().replace("0X", "0x"), NOBODY, tokens()[1]];
    expect(Object.keys(await answer(TRADES, { groupby: "token_address", eq }))).toEqual(eq);
  });

  rule(
    "Response: each value is an array of at most size records of the table, ranked by sortby in the given order",
    async () => {
      const groups = await indexes({
        eq: [...tokens(), the().oak.token],
        sortby: "amount_token",
        order: "asc",
        size: 6,
      });
      expect(groups).toEqual(
        [...tokens(), the().oak.token].map((token) => ranked(token, "amount_token", "asc").slice(0, 6)),
      );
    },
  );

  rule("A GET URL is limited to 2048 characters", async () => {
    const fits = await asked("GET", TRADES, { search: urlOf(MAX_URL) });
    expect([fits.status, fits.body]).toEqual([200, { [NOBODY]: [] }]);
    const { status, body } = await asked("GET", TRADES, { search: urlOf(MAX_URL + 1) });
    expect([status, body]).toEqual([
      414,
      { error: `The URL is longer than ${MAX_URL} characters. Send the parameters by POST.` },
    ]);
  });

  rule("Longer requests must use POST", async () => {
    const eq = [...strangers(60), the().oak.token];
    const byGet = await get(TRADES, { groupby: "token_address", eq });
    expect([byGet.status, byGet.body.error]).toEqual([414, expect.stringContaining("POST")]);
    const { status, body } = await post(TRADES, { groupby: "token_address", eq });
    expect([status, Object.keys(body), body[the().oak.token].length]).toEqual([200, eq, 1]);
  });

  decided("sortby: by default timestamp", async () => {
    const question = { eq: tokens(), size: 8 };
    expect(await indexes(question)).toEqual(await indexes({ ...question, sortby: "timestamp" }));
  });

  decided(
    "exclude_wash (trades only): default false; true: without records that have a wash_reason",
    async () => {
      const question = { eq: tokens(), size: 5_000 };
      expect(await indexes({ ...question, exclude_wash: false })).toEqual(await indexes(question));
      const honest = await Promise.all(
        tokens().map((token) =>
          sql(`SELECT record_index FROM eth_dex_trades WHERE token_address = '${token}' AND wash_reason IS NULL
          ORDER BY timestamp DESC, record_index DESC LIMIT 5000`),
        ),
      );
      expect(await indexes({ ...question, exclude_wash: true })).toEqual(
        honest.map((rows) => rows.map(({ record_index }) => record_index)),
      );
      await refused(
        TRADES,
        { groupby: "token_address", eq: tokens(), exclude_wash: "some" },
        /exclude_wash: got "some"/,
      );
    },
  );

  decided("A value without records has []", async () => {
    expect(await answer(TRADES, { groupby: "token_address", eq: [NOBODY] })).toEqual({ [NOBODY]: [] });
  });

  decided(
    "Any scalar column for groupby and sortby, except long byte columns (data, input, extra_data)",
    async () => {
      for (const [table, column] of [
        ["logs", "data"],
        ["transactions", "input"],
        ["blocks", "extra_data"],
      ]) {
        for (const given of [{ groupby: column }, { groupby: "block_number", sortby: column }]) {
          await refused(`${PATH}/${table}`, { eq: "1", ...given }, `got "${column}", expected one of`);
        }
      }
    },
  );

  decided("At most 10,000 values", async () => {
    const ask = (count: number) => post(TRADES, { groupby: "token_address", eq: strangers(count) });
    const most = await ask(10_000);
    expect([most.status, Object.keys(most.body).length]).toEqual([200, 10_000]);
    const { status, body } = await ask(10_001);
    expect([status, body.error]).toEqual([
      400,
      "Invalid parameter eq: got a list of 10001, expected a list of 1 to 10000 strings or numbers.",
    ]);
  });

  decided("size from 1 to 10,000, at most 100,000 records in total", async () => {
    const ask = (count: number, size: number) =>
      post(TRADES, { groupby: "token_address", eq: strangers(count), size });
    expect((await ask(10, 10_000)).status).toBe(200);
    for (const [count, size] of [
      [1, 10_001],
      [11, 10_000],
    ] as const) {
      const { status, body } = await ask(count, size);
      expect([status, body.error]).toEqual([400, expect.stringContaining(`size: got ${size}`)]);
    }
  });

  decided("chain: eth by default, or any other that is configured", async () => {
    const count = async (chain: object) =>
      (await answer<Groups>(TRADES, { groupby: "side", eq: ["buy"], size: 10_000, ...chain })).buy?.length ??
      0;
    expect(await count({})).toBe(await count({ chain: "eth" }));
    expect(await count({ chain: "base" })).toBeLessThan(await count({}));
    await refused(
      TRADES,
      { groupby: "side", eq: "buy", chain: "doge" },
      "configured chains: eth, base, matic",
    );
  });
});
