/**
 * What do Brotli and gzip cost at the levels that are fast enough for responses? Prints the CPU time and the
 * size of compressed answers.
 *
 *     npm run bench -- compression [--rounds 7]
 */
import { randomBytes, randomInt } from "node:crypto";
import zlib from "node:zlib";
import { benchOptions } from "./support/bench-options.ts";
import { printTable } from "./support/print-table.ts";

const { rounds } = benchOptions({ rounds: 7 }, { rounds: 1 });
/**
 * Number of bytes that each round compresses. A small answer is compressed many times, so that its
 * measurement is long enough.
 */
const BYTES_PER_ROUND = 2_000_000;
const AT = 1_704_412_800;

const hex = (bytes: number) => `0x${randomBytes(bytes).toString("hex")}`;
const amount = () => Math.random() * 10 ** randomInt(6);
const listOf = <T>(count: number, item: (i: number) => T) => Array.from({ length: count }, (_, i) => item(i));
const oneOf = (values: readonly string[]) => values[randomInt(values.length)] ?? "";

const [POOLS, WALLETS] = [listOf(400, () => hex(20)), listOf(600, () => hex(20))];
const TOKEN = hex(20);

/** Columns of a trade that contain a double. */
const DOUBLES = [
  "amount_eth,amount_token,amount_usd,amount_quote,price_token_eth,volume_1h_usd,volume_24h_usd",
  ...["tick_1", "tick_100", "wavg_1h", "wavg_24h", "robust_tick_1"].map((type) => `price_token_usd_${type}`),
  ...["total", "buy", "sell", "mid"].flatMap((side) =>
    ["1h", "24h"].map((period) => `price_token_usd_robust_${side}_${period}`),
  ),
].flatMap((names) => names.split(","));

function trade(i: number) {
  return {
    ...Object.fromEntries(DOUBLES.map((name) => [name, amount()])),
    ...{
      timestamp: AT + 3 * i,
      block_hash: hex(32),
      block_number: 18_937_382 + i,
      log_index: randomInt(300),
    },
    ...{
      interacted_with_address: oneOf(WALLETS),
      pool_address: oneOf(POOLS),
      trader_address: oneOf(WALLETS),
    },
    ...{ num_trades_1h: randomInt(900), num_trades_24h: randomInt(9_000), protocol_name: "uniswap_v3" },
    ...{ quote_address: TOKEN, record_index: 18_937_382_000_000 + i, side: oneOf(["buy", "sell"]) },
    ...{ token_address: TOKEN, token_name: "Wrapped Ether", token_symbol: "WETH" },
    ...{ transaction_hash: hex(32), transaction_index: randomInt(200) },
  };
}

function candle(i: number) {
  const [open, price] = [AT + 60 * i, 2200 + amount() / 1e4];
  return {
    ...{
      timestamp_open: open,
      timestamp_close: open + 59,
      date_open: isoOf(open),
      date_close: isoOf(open + 59),
    },
    ...{ price_open: price, price_high: price + Math.random(), price_low: price - Math.random() },
    ...{ price_close: price + Math.random() / 2, volume: amount(), num_trades: randomInt(90) },
  };
}

const isoOf = (seconds: number) => new Date(1000 * seconds).toISOString().replace(".000Z", "Z");

function latestPrice(i: number) {
  return {
    ...{ token_address: hex(20), token_symbol: `TK${i}`, token_name: `Token ${i}` },
    ...{ block_number: 18_937_382 - randomInt(100_000), timestamp: AT - randomInt(1_000_000) },
    ...{ transaction_hash: hex(32), price_eth: Math.random(), price_usd: amount() },
  };
}

const ANSWERS: Record<string, unknown> = {
  "3 latest prices": listOf(3, latestPrice),
  "10 trades": { [TOKEN]: listOf(10, trade) },
  "100 candles": { token_address: TOKEN, data: listOf(100, candle) },
  "100 trades": { [TOKEN]: listOf(100, trade) },
  "2,500 candles": { token_address: TOKEN, data: listOf(2_500, candle) },
  "10,000 latest prices": listOf(10_000, latestPrice),
};

const brotli = (quality: number) => (bytes: Buffer) =>
  zlib.brotliCompressSync(bytes, {
    params: {
      [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
      [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
    },
  });
const gzip = (level: number) => (bytes: Buffer) => zlib.gzipSync(bytes, { level });

const WAYS: Record<string, (bytes: Buffer) => Buffer> = {
  ...Object.fromEntries([1, 6].map((level) => [`gzip ${level}`, gzip(level)])),
  ...Object.fromEntries([0, 1, 2, 3, 4].map((quality) => [`br ${quality}`, brotli(quality)])),
};

/**
 * Returns the lowest CPU time of a round, in ms per answer. The lowest is used because other work on the
 * machine can only add to it.
 */
function costOf(compress: (bytes: Buffer) => Buffer, bytes: Buffer): number {
  const times = Math.max(1, Math.round(BYTES_PER_ROUND / bytes.length));
  const costs = listOf(rounds, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) compress(bytes);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / times;
  });
  return Math.min(...costs);
}

const rows = Object.entries(ANSWERS).map(([name, answer]) => {
  const bytes = Buffer.from(JSON.stringify(answer));
  const cells = Object.values(WAYS).map((compress) => {
    const share = Math.round((100 * compress(bytes).length) / bytes.length);
    return `${costOf(compress, bytes).toPrecision(2)} ms, ${share} %`;
  });
  return [name, `${(bytes.length / 1000).toFixed(1)} kB`, ...cells];
});
printTable(["answer", "size", ...Object.keys(WAYS)], rows);
