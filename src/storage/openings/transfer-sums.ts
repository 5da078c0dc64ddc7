import {
  hexBytes,
  hexBytesArray,
  hexText,
  integer,
  integerArray,
  type Sql,
  sql,
} from "../../engine-sql/sql-text.ts";
import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import { DEPOSIT_TOPIC, WITHDRAWAL_TOPIC } from "../../schema/events/wrapping-events.ts";
import type { Engine } from "../store.ts";
import type { Holding } from "../stored-balances.ts";
import { engineTable } from "../tables/ddl.ts";

/** A chain whose transfers are summed. */
export interface SummedChain {
  name: string;
  /** The wrapped native coin. Wrapping and unwrapping change its balances without a Transfer. */
  wrappedNative: Hex;
}

/** A holding whose transfers are summed. They are also summed up to an earlier block, `base`. */
export interface SumRequest {
  holding: Holding;
  base: number;
}

const HOLDING_BYTES = 40;
const ZERO = hexBytes(ZERO_ADDRESS);

/** Prints the table `requested` (wallet, token, base) for use after WITH. */
export function requestedHoldings(requests: readonly SumRequest[]): Sql {
  const holdings = hexBytesArray(
    requests.map(({ holding }) => holding),
    HOLDING_BYTES,
  );
  const bases = integerArray(
    requests.map(({ base }) => base),
    "UInt64",
  );
  return sql`requested AS (SELECT toFixedString(substring(tupleElement(one, 1), 1, 20), 20) AS wallet,
    toFixedString(substring(tupleElement(one, 1), 21, 20), 20) AS token, tupleElement(one, 2) AS base
    FROM (SELECT arrayJoin(arrayZip(${holdings}, ${bases})) AS one))`;
}

/** The holdings in `requested`, for use after IN. */
export const REQUESTED = sql`(SELECT wallet, token FROM requested)`;

/**
 * Prints the query for the changes that stored transfers and wrappings made to the holdings in `requested`: a
 * row (wallet, token, block, change, largest) for each holding and each block that changed it.
 * `balanceChanges()` computes the same from decoded blocks.
 */
export function requestedChanges(chain: SummedChain, upTo: number): Sql {
  const erc20 = engineTable(chain.name, "erc20");
  const transfers = (side: Sql, change: Sql) =>
    sql`SELECT ${side} AS wallet, token_address AS token, block_number AS block, ${change} AS change,
      value_base AS amount FROM ${erc20} WHERE block_number <= ${integer(upTo)}
      AND token_address IN (SELECT token FROM requested) AND (${side}, token_address) IN ${REQUESTED}`;
  return sql`SELECT wallet, token, block, sum(change) AS change, max(amount) AS largest FROM (
      ${transfers(sql`to_address`, sql`toInt256(value_base)`)}
      UNION ALL ${transfers(sql`from_address`, sql`-toInt256(value_base)`)}
      UNION ALL ${wrappings(chain, upTo)})
    GROUP BY wallet, token, block`;
}

/**
 * Prints the query for the wrappings, except those that a Transfer of the same transaction reports. Each
 * Transfer reports one wrapping, as in the decoder.
 */
function wrappings({ name, wrappedNative }: SummedChain, upTo: number): Sql {
  const [coin, deposit, withdrawal] = [wrappedNative, DEPOSIT_TOPIC, WITHDRAWAL_TOPIC].map(hexBytes) as [
    Sql,
    Sql,
    Sql,
  ];
  const isMinted = sql`(from_address = ${ZERO})`;
  const reported = sql`SELECT if(${isMinted}, to_address, from_address) AS wallet,
      token_address AS token, block_number AS block, transaction_hash AS hash,
      ${isMinted} AS is_deposit, value_base AS amount, -1 AS weight
    FROM ${engineTable(name, "erc20")} WHERE token_address = ${coin} AND block_number <= ${integer(upTo)}
    AND (from_address = ${ZERO} OR to_address = ${ZERO}) AND (wallet, token) IN ${REQUESTED}`;
  const logged = sql`SELECT toFixedString(substring(assumeNotNull(topic_1), 13, 20), 20) AS wallet,
      toFixedString(${coin}, 20) AS token, block_number AS block, transaction_hash AS hash,
      assumeNotNull(topic_0 = ${deposit}) AS is_deposit, reinterpretAsUInt256(reverse(data)) AS amount, 1 AS weight
    FROM ${engineTable(name, "logs")} WHERE address = ${coin} AND block_number <= ${integer(upTo)}
    AND topic_0 IN (${deposit}, ${withdrawal}) AND topic_1 IS NOT NULL AND topic_2 IS NULL AND length(data) = 32
    AND startsWith(assumeNotNull(topic_1), ${hexBytes(`0x${"0".repeat(24)}`)})
    AND ${coin} IN (SELECT token FROM requested) AND (wallet, token) IN ${REQUESTED}`;
  const unreported = sql`SELECT wallet, token, block, is_deposit, amount, sum(weight) AS times
    FROM (${logged} UNION ALL ${reported}) GROUP BY wallet, token, block, hash, is_deposit, amount HAVING times > 0`;
  return sql`SELECT wallet, token, block, toInt256(amount) * times * if(is_deposit, 1, -1) AS change, amount
    FROM (${unreported})`;
}

/** Sums of the amounts that transfers added to a holding since the first indexed block. */
export interface TransferSums {
  /** Sum up to the block `base` of the request, and sum up to the last block of the query. */
  atBase: bigint;
  newest: bigint;
  /** The lowest and the highest sum after any block of the query. */
  lowest: bigint;
  highest: bigint;
  /** The largest single amount that a transfer added or removed. */
  largest: bigint;
}

type SumRow = Record<keyof TransferSums, string> & { holding: Holding };

/** Sums the stored transfers of holdings up to a block. Holdings without transfers are left out. */
export async function sumTransfers(
  engine: Pick<Engine, "query">,
  chain: SummedChain,
  requests: readonly SumRequest[],
  upTo: number,
): Promise<Map<Holding, TransferSums>> {
  if (requests.length === 0) return new Map();
  const running = sql`SELECT wallet, token, block, largest,
    sum(change) OVER (PARTITION BY wallet, token ORDER BY block) AS running
    FROM (${requestedChanges(chain, upTo)})`;
  const rows = await engine.query<SumRow>(
    sql`WITH ${requestedHoldings(requests)}
      SELECT ${hexText(sql`sums.wallet`, sql`sums.token`)} AS holding,
      toString(argMaxIf(running, block, block <= base)) AS atBase, toString(argMax(running, block)) AS newest,
      toString(min(running)) AS lowest, toString(max(running)) AS highest, toString(max(largest)) AS largest
      FROM (${running}) AS sums INNER JOIN requested
      ON sums.wallet = requested.wallet AND sums.token = requested.token GROUP BY sums.wallet, sums.token`,
  );
  return new Map(rows.map(({ holding, ...sums }) => [holding, numbersOf(sums)]));
}

function numbersOf(sums: Record<keyof TransferSums, string>): TransferSums {
  const entries = Object.entries(sums).map(([name, digits]) => [name, BigInt(digits)]);
  return Object.fromEntries(entries) as TransferSums;
}
