import { hexBytes, integer, join, type Sql, sql, time } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { VAULT_V3_EVENTS } from "../../../schema/events/vault-events.ts";
import { PLACE_PREFIX } from "../../../serving/pools/vaults/vault-change.ts";
import {
  LENGTH_WORD,
  LIQUIDITY_WORDS,
  MAX_TOKENS,
  MIN_TOKENS,
} from "../../../serving/pools/vaults/vault-v3-changes.ts";
import {
  changesOfRegistration,
  hasWords,
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

/**
 * Date of the task that deploys the second fee controller, 2025-02-14 (20250214-v3-protocol-fee-controller-v2
 * in balancer-deployments). Until then, every Vault had its first fee controller, which does not report the
 * registration of pools.
 */
const SECOND_CONTROLLER_AT = 1_739_491_200;

const ID = lastBytes(sql`assumeNotNull(topic_1)`);

/** Number of tokens in a LiquidityAdded or LiquidityRemoved of the right length. */
const COUNT = sql`intDiv(length(data) - ${integer(32 * LIQUIDITY_WORDS)}, 64)`;
const IS_LIST = sql`length(data) % 64 = 32 AND ${COUNT} BETWEEN ${integer(MIN_TOKENS)} AND ${integer(MAX_TOKENS)}
  AND ${signedAt(integer(LENGTH_WORD))} = ${COUNT}`;
const PLACE = sql`concat(${hexBytes(PLACE_PREFIX)}, char(toUInt8(${COUNT})), char(toUInt8(i)))`;

const amountsAs = (sign: 1 | -1) => sql`arrayMap(
  i -> (${PLACE}, ${integer(sign)} * ${signedAt(sql`${integer(LENGTH_WORD + 1)} + i`)}), range(toUInt32(greatest(${COUNT}, 0))))`;

const isEvent = (name: keyof typeof VAULT_V3_EVENTS): Sql => isTopic(VAULT_V3_EVENTS[name]);
const IS_FEE = sql`(${isEvent("swapFeeCollected")} OR ${isEvent("yieldFeeCollected")})`;

/**
 * The logs of Balancer V3's Vault and of its fee controllers. The changes are the same as those of
 * `vaultV3ChangesOf`. A pool counts as registered only if the Vault's fee controller was one of
 * `controllers`, because payments to any other controller would be missing.
 */
export function vaultLogsV3(controllers: readonly Hex[]): VaultLogs {
  const isListed = sql`address IN (${join(controllers.map(hexBytes))})`;
  return {
    isRelevant: sql`${isAmong(Object.values(VAULT_V3_EVENTS))} AND topic_1 IS NOT NULL`,
    id: ID,
    isRegistration: sql`(${isEvent("feeSet")} AND ${isListed}
      OR ${isEvent("registered")} AND timestamp < ${time(SECOND_CONTROLLER_AT)})`,
    changes: sql`multiIf(
      ${isEvent("registered")} OR ${isEvent("feeSet")}, ${changesOfRegistration(ID)},
      ${isEvent("swap")} AND ${isPairOf(4)},
        [(${TOKEN_1}, ${signedAt(integer(0))}), (${TOKEN_2}, -${signedAt(integer(1))})],
      ${isEvent("added")} AND ${IS_LIST}, ${amountsAs(1)},
      ${isEvent("removed")} AND ${IS_LIST}, ${amountsAs(-1)},
      ${IS_FEE} AND ${hasWords(1)} AND topic_2 IS NOT NULL, [(${TOKEN_1}, -${signedAt(integer(0))})],
      ${NOT_READABLE})`,
  };
}
