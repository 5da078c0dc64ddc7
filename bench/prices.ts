/**
 * How fast are the price endpoints on a large index? Generates trades of 50,000 tokens in 400 days, as a backfill and then
 * a follower would have written them, and asks the service over HTTP, alone and with 8 clients at once; beside
 * it the engine alone, with the statements that the service ran, and PostgreSQL on the same rows.
 *
 *   UV_THREADPOOL_SIZE=16 npx tsx bench/prices.ts --data FOLDER [--trades 20000000] [--seconds 4]
 *     [--no-postgres] [--derived]
 *
 * What was generated stays in FOLDER for the next run. --derived also tries tables that could be kept beside the trades.
 * PostgreSQL is Debian's package (apt-get install postgresql), run by ourselves in a temporary folder.
 */
import { parseArgs } from "node:util";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { tryDerivedTables } from "./support/derived-tables.ts";
import { generateMarket, tokensByRank } from "./support/generated-market.ts";
import { tryMonthStates } from "./support/month-states.ts";
import { loadTrades } from "./support/postgres/trades.ts";
import { measurePostgres, measureService } from "./support/questions/measured-questions.ts";
import { priceQuestions } from "./support/questions/price-questions.ts";
import { tryTradesByTime } from "./support/trades-by-time.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: "quarry-bench-prices" },
    trades: { type: "string", default: "20000000" },
    seconds: { type: "string", default: "4" },
    "no-postgres": { type: "boolean", default: false },
    derived: { type: "boolean", default: false },
  },
});

const seconds = Number(options.seconds);
const tell = (line: string) => void process.stdout.write(`${line}\n`);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, Number(options.trades), tell);
const tokens = await tokensByRank(engine);
const measuring = { questions: priceQuestions(tokens), engine, seconds, tell };

const answers = await measureService(measuring);
if (options.derived) {
  await tryDerivedTables(engine, tokens, { seconds, tell });
  await tryMonthStates(engine, tokens, { seconds, tell });
  await tryTradesByTime(engine, tokens, { seconds, tell });
}
if (!options["no-postgres"]) {
  await measurePostgres(measuring, { answers, fill: (postgres) => loadTrades(postgres, engine, tell) });
}
await engine.close();
