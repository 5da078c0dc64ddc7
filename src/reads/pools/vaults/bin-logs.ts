import { integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { BIN_EVENTS } from "../../../schema/events/bin-events.ts";
import { BIN_HEADS, BIN_WORDS, FEE_UNITS } from "../../../serving/pools/vaults/bin-changes.ts";
import { placeOf } from "../../../serving/pools/vaults/vault-change.ts";
import {
  bytesOfToken,
  changesOfRegistration,
  hasWords,
  isAmong,
  isTopic,
  NOT_READABLE,
  signedAt,
  type VaultLogs,
} from "./vault-logs.ts";

const isEvent = (name: keyof typeof BIN_EVENTS): Sql => isTopic(BIN_EVENTS[name]);
const ID = sql`substring(assumeNotNull(topic_1), 1, 32)`;
const [PLACE_0, PLACE_1] = [bytesOfToken(placeOf(2, 0)), bytesOfToken(placeOf(2, 1))];

/** Prints the changes of both tokens. `changeAt` prints the change of the token at an index. */
const both = (changeAt: (index: 0 | 1) => Sql) =>
  sql`[(${PLACE_0}, ${changeAt(0)}), (${PLACE_1}, ${changeAt(1)})]`;

const [FEE, PROTOCOL_FEE] = [signedAt(integer(3)), signedAt(integer(4))];
const HAS_FEES = sql`${hasWords(BIN_WORDS.swap)} AND ${FEE} BETWEEN 0 AND ${integer(FEE_UNITS)}
  AND ${PROTOCOL_FEE} BETWEEN 0 AND ${FEE}`;

/** Prints `protocolFeeOf` for the amount that the caller pays. */
const protocolFee = (paid: Sql) => sql`if(${paid} > 0, intDiv(
  intDiv(${paid} * ${FEE} + ${integer(FEE_UNITS - 1n)}, ${integer(FEE_UNITS)}) * ${PROTOCOL_FEE},
  greatest(${FEE}, toInt256(1))), toInt256(0))`;

function keptOfSwap(index: 0 | 1): Sql {
  const paid = sql`(-${signedAt(integer(index))})`;
  return sql`${paid} - ${protocolFee(paid)}`;
}

/** Prints the number of items in both lists of an event of the right length. */
const countAfter = (head: number) => sql`intDiv(length(data) - ${integer(32 * (head + 2))}, 64)`;

/** Prints whether the data has two lists of the same length after this number of words. */
function isListAfter(head: number): Sql {
  const count = countAfter(head);
  const next = sql`${integer(head + 1)} + ${count}`;
  return sql`length(data) >= ${integer(32 * (head + 2))} AND length(data) % 64 = ${integer((32 * head) % 64)}
    AND ${signedAt(integer(0))} = ${integer(32 * head)} AND ${signedAt(integer(2))} = 32 * (${next})
    AND ${signedAt(integer(head))} = ${count} AND ${signedAt(next)} = ${count}`;
}

/** Prints the amounts of all bins, with a sign. The lower half of a word is the amount of the first token. */
function amountsAfter(head: number, sign: 1 | -1): Sql {
  const count = countAfter(head);
  const lists = [PLACE_0, PLACE_1].map((place, index) => {
    const byte = sql`32 * (${integer(head + 2)} + ${count} + i) + ${integer(index === 0 ? 17 : 1)}`;
    const half = sql`toInt256(reinterpretAsUInt128(reverse(substring(data, ${byte}, 16))))`;
    return sql`arrayMap(i -> (${place}, ${integer(sign)} * ${half}), range(toUInt32(greatest(${count}, 0))))`;
  });
  return sql`arrayConcat(${join(lists)})`;
}

const { minted, burned } = BIN_HEADS;

/** The logs of PancakeSwap Infinity's BinPoolManager. The changes are the same as those of `binChangesOf`. */
export const BIN_LOGS: VaultLogs = {
  isRelevant: sql`${isAmong(Object.values(BIN_EVENTS))} AND topic_1 IS NOT NULL`,
  id: ID,
  isRegistration: isEvent("initialized"),
  changes: sql`multiIf(
    ${isEvent("initialized")}, ${changesOfRegistration(ID)},
    ${isEvent("swap")} AND ${HAS_FEES}, ${both(keptOfSwap)},
    ${isEvent("donated")} AND ${hasWords(BIN_WORDS.donated)}, ${both((index) => sql`-${signedAt(integer(index))}`)},
    ${isEvent("minted")} AND ${isListAfter(minted)}, ${amountsAfter(minted, 1)},
    ${isEvent("burned")} AND ${isListAfter(burned)}, ${amountsAfter(burned, -1)},
    ${NOT_READABLE})`,
};
