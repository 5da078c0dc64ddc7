/**
 * How fast are the price endpoints on a large index? Generates 400 days of trades of 50,000 tokens, as a
 * backfill and then a follower would write them. Measures the service over HTTP with one client and with 8
 * clients, the engine without the service on the same statements, and PostgreSQL on the same rows.
 *
 *   npm run bench -- prices --data FOLDER [--trades 20000000] [--seconds 4]
 *     [--no-postgres] [--derived]
 *
 * The generated data stays in FOLDER for the next run. --derived also tries tables that a writer could keep
 * in addition to the trades. PostgreSQL is Debian's package (apt-get install postgresql). It runs in a
 * temporary folder.
 */
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { benchOptions } from "./support/bench-options.ts";
import { tryDerivedTables } from "./support/derived-tables.ts";
import { generateMarket, tokensByRank } from "./support/generated-market.ts";
import { tryMonthStates } from "./support/month-states.ts";
import { loadTrades } from "./support/postgres/trades.ts";
import { measurePostgres, measureService } from "./support/questions/measured-questions.ts";
import { priceQuestions } from "./support/questions/price-questions.ts";
import { tryTradesByTime } from "./support/trades-by-time.ts";

const options = benchOptions(
  { data: "quarry-bench-prices", trades: 20_000_000, seconds: 4, noPostgres: false, derived: false },
  { trades: 20_000, seconds: 0.1, derived: true },
);

const seconds = options.seconds;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, options.trades, print);
const tokens = await tokensByRank(engine);
const measuring = { questions: priceQuestions(tokens), engine, seconds, print };

const answers = await measureService(measuring);
if (options.derived) {
  await tryDerivedTables(engine, tokens, { seconds, print });
  await tryMonthStates(engine, tokens, { seconds, print });
  await tryTradesByTime(engine, tokens, { seconds, print });
}
if (!options.noPostgres) {
  await measurePostgres(measuring, { answers, fill: (postgres) => loadTrades(postgres, engine, print) });
}
await engine.close();
