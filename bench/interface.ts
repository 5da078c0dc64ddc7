/**
 * How fast are the endpoints that bench/prices.ts does not measure? Uses its large index over HTTP, with one
 * client and with 8 clients. For comparison, measures the engine without the service, and PostgreSQL on the
 * same rows.
 *
 *   npm run bench -- interface --data FOLDER [--trades 20000000] [--seconds 4] [--no-postgres]
 *
 * To add questions, write a file like support/questions/wallet-questions.ts, create its tables in PostgreSQL,
 * and add a line to each list below.
 */
import { loadavg } from "node:os";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { benchOptions } from "./support/bench-options.ts";
import { generateMarket, mergeMonths } from "./support/generated-market.ts";
import { generateTransfers } from "./support/generated-transfers.ts";
import type { Postgres } from "./support/postgres/postgres.ts";
import { loadRecords } from "./support/postgres/records.ts";
import { loadWalletTrades } from "./support/postgres/wallets.ts";
import { measurePostgres, measureService } from "./support/questions/measured-questions.ts";
import { poolQuestions } from "./support/questions/pool-questions.ts";
import { recordQuestions } from "./support/questions/record-questions.ts";
import { copyTrades, walletQuestions } from "./support/questions/wallet-questions.ts";

const options = benchOptions(
  { data: "quarry-bench-prices", trades: 20_000_000, seconds: 4, noPostgres: false },
  { trades: 20_000, seconds: 0.1 },
);

const print = (line: string) => void process.stdout.write(`${line}\n`);
const printLoad = () => print(`load ${loadavg()[0]?.toFixed(0)}`);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, options.trades, print);
await copyTrades(engine, print);
await generateTransfers(engine, print);
await mergeMonths(engine);

const questions = [
  ...(await recordQuestions(engine)),
  ...(await poolQuestions(engine)),
  ...(await walletQuestions(engine)),
];
const loads = [loadRecords, loadWalletTrades];
const measuring = { questions, engine, seconds: options.seconds, print };

printLoad();
const answers = await measureService(measuring);
printLoad();
if (!options.noPostgres) await measurePostgres(measuring, { answers, fill });
await engine.close();

async function fill(postgres: Postgres): Promise<void> {
  for (const loadInto of loads) await loadInto(postgres, engine, print);
}
