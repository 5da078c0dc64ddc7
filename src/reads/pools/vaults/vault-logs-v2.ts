import { integer, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { VAULT_EVENTS } from "../../../schema/events/vault-events.ts";
import { CHANGED_WORDS } from "../../../serving/pools/vaults/vault-v2-changes.ts";
import {
  changesOfRegistration,
  isAmong,
  isPairOf,
  isTopic,
  lastBytes,
  NOT_READABLE,
  signedAt,
  TOKEN_1,
  TOKEN_2,
  type VaultLogs,
} from "./vault-logs.ts";

/** The pool's address, which is the beginning of its id. */
const ID = sql`substring(assumeNotNull(topic_1), 1, 20)`;

/** Number of tokens in a PoolBalanceChanged of the right length. */
const COUNT = sql`intDiv(length(data) - ${integer(32 * CHANGED_WORDS)}, 96)`;
const IS_JOIN = sql`length(data) >= ${integer(32 * CHANGED_WORDS)} AND length(data) % 96 = 0
  AND ${signedAt(integer(3))} = ${COUNT}`;
const JOIN_CHANGES = sql`arrayMap(i -> (${lastBytes(sql`substring(data, 1 + 32 * (4 + i), 32)`)},
  ${signedAt(sql`5 + ${COUNT} + i`)} - ${signedAt(sql`6 + 2 * ${COUNT} + i`)}), range(toUInt32(greatest(${COUNT}, 0))))`;

const isEvent = (name: keyof typeof VAULT_EVENTS): Sql => isTopic(VAULT_EVENTS[name]);

/** The logs of Balancer V2's Vault. The changes are the same as those of `vaultV2ChangesOf`. */
export const VAULT_LOGS_V2: VaultLogs = {
  isRelevant: sql`${isAmong(Object.values(VAULT_EVENTS))} AND topic_1 IS NOT NULL`,
  id: ID,
  isRegistration: isEvent("registered"),
  changes: sql`multiIf(
    ${isEvent("registered")}, ${changesOfRegistration(ID)},
    ${isEvent("swap")} AND ${isPairOf(2)}, [(${TOKEN_1}, ${signedAt(integer(0))}), (${TOKEN_2}, -${signedAt(integer(1))})],
    ${isEvent("managed")} AND ${isPairOf(2)}, [(${TOKEN_2}, ${signedAt(integer(0))} + ${signedAt(integer(1))})],
    ${isEvent("changed")} AND ${IS_JOIN}, ${JOIN_CHANGES},
    ${NOT_READABLE})`,
};
