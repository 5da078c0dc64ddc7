import { hexBytes, integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { PoolFamily } from "../../../schema/swap.ts";
import { bytesOf } from "../../invariant.ts";

/** SQL that reads a swap from its log: positive amounts entered the pool, negative ones left it. */
interface SwapForm {
  topic: Hex;
  /** The pool's address or id: the log's emitter or its first argument. */
  pool: Sql;
  /** Exact length of the data. */
  bytes: number;
  amount0: Sql;
  amount1: Sql;
}

const wordAt = (index: number) =>
  sql`reinterpretAsInt256(reverse(substring(data, ${integer(1 + 32 * index)}, 32)))`;

const EMITTER = bytesOf(sql`address`);
const V2_SWAP = {
  pool: EMITTER,
  amount0: sql`${wordAt(0)} - ${wordAt(2)}`,
  amount1: sql`${wordAt(1)} - ${wordAt(3)}`,
};
const V3_SWAP = { pool: EMITTER, amount0: wordAt(0), amount1: wordAt(1) };

/**
 * The swap events of each family, declared independently of the decoder, so that its output can be compared
 * with them.
 */
const SWAP_FORMS: Record<PoolFamily, SwapForm[]> = {
  "uniswap-v2": [
    {
      topic: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
      bytes: 128,
      ...V2_SWAP,
    },
  ],
  "uniswap-v3": [
    {
      topic: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
      bytes: 160,
      ...V3_SWAP,
    },
    {
      // PancakeSwap V3
      topic: "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83",
      bytes: 224,
      ...V3_SWAP,
    },
  ],
  "uniswap-v4": [
    {
      topic: "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f",
      bytes: 192,
      pool: sql`ifNull(${bytesOf(sql`topic_1`)}, '')`,
      // Amounts are from the swapper's side, so their signs are inverted.
      amount0: sql`-${wordAt(0)}`,
      amount1: sql`-${wordAt(1)}`,
    },
  ],
};

/** A swap event has exactly two indexed arguments. */
const TWO_ARGUMENTS = sql`topic_2 IS NOT NULL AND topic_3 IS NULL`;

const FORMS = Object.entries(SWAP_FORMS).flatMap(([family, forms]) =>
  forms.map((form) => ({ family, ...form })),
);

const isForm = ({ topic, bytes }: SwapForm) =>
  sql`topic_0 = ${hexBytes(topic)} AND length(data) = ${integer(bytes)} AND ${TWO_ARGUMENTS}`;

const byForm = (value: (form: (typeof FORMS)[number]) => Sql, otherwise: Sql) =>
  sql`multiIf(${join(FORMS.map((form) => sql`${isForm(form)}, ${value(form)}`))}, ${otherwise})`;

/** True for logs with the form of a swap, regardless of the emitter. */
export const IS_SWAP: Sql = join(
  FORMS.map((form) => sql`(${isForm(form)})`),
  " OR ",
);

export const SWAP_POOL: Sql = byForm(({ pool }) => pool, EMITTER);
export const SWAP_AMOUNT_0: Sql = byForm(({ amount0 }) => amount0, sql`toInt256(0)`);
export const SWAP_AMOUNT_1: Sql = byForm(({ amount1 }) => amount1, sql`toInt256(0)`);
/** The family whose pools emit logs of this form. */
export const SWAP_FAMILY: Sql = byForm(({ family }) => sql`'${family as Sql}'`, sql`''`);
