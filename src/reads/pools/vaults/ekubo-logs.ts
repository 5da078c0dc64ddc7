import { integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { EKUBO_EVENTS, EKUBO_ID_WORDS, EKUBO_SWAP_BYTES } from "../../../schema/events/ekubo-events.ts";
import { EKUBO_CHANGES_AT, EKUBO_WORDS } from "../../../serving/pools/vaults/ekubo-changes.ts";
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

type Event = keyof typeof EKUBO_EVENTS;

const isEvent = (name: Event): Sql => isTopic(EKUBO_EVENTS[name]);
const namesOf = (word: 0 | 1) =>
  (Object.keys(EKUBO_EVENTS) as Event[]).filter((name) => EKUBO_ID_WORDS[name] === word);

const IS_SWAP = sql`topic_0 IS NULL AND length(data) = ${integer(EKUBO_SWAP_BYTES)}`;
const ID = sql`multiIf(topic_0 IS NULL, substring(data, 21, 32),
  ${isAmong(namesOf(1).map((name) => EKUBO_EVENTS[name]))}, substring(data, 33, 32), substring(data, 1, 32))`;

/**
 * Prints the changes of both tokens, in the pool's order. `changeAt` prints the change of the token at an
 * index.
 */
const both = (changeAt: (index: number) => Sql) =>
  sql`[${join([0, 1].map((index) => sql`(${bytesOfToken(placeOf(2, index))}, ${changeAt(index)})`))}]`;

/** Prints the changes of both balances, of 16 bytes each. The first one starts at this byte of the data. */
const packedAt = (byte: number) =>
  both(
    (index) =>
      sql`toInt256(reinterpretAsInt128(reverse(substring(data, ${integer(byte + 16 * index + 1)}, 16))))`,
  );

const hasWordsOf = (event: keyof typeof EKUBO_WORDS) =>
  sql`${isEvent(event)} AND ${hasWords(EKUBO_WORDS[event])}`;

/**
 * The logs of Ekubo's Core. The changes are the same as those of `ekuboChangesOf`. A pool's id is in the
 * data, so all logs of the Core are read.
 */
export const EKUBO_LOGS: VaultLogs = {
  isRelevant: sql`(${isAmong(Object.values(EKUBO_EVENTS))} OR ${IS_SWAP})`,
  id: ID,
  isRegistration: sql`ifNull(${isEvent("initialized")}, 0)`,
  changes: sql`multiIf(
    ${IS_SWAP}, ${packedAt(EKUBO_CHANGES_AT.swap)},
    ${isEvent("initialized")}, ${changesOfRegistration(ID)},
    ${hasWordsOf("positionUpdated")}, ${packedAt(EKUBO_CHANGES_AT.positionUpdated)},
    ${hasWordsOf("feesCollected")}, ${both((index) => sql`-${signedAt(integer(3 + index))}`)},
    ${hasWordsOf("feesAccumulated")}, ${both((index) => signedAt(integer(1 + index)))},
    ${NOT_READABLE})`,
};
