import { hexBytes, integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { VAULT_V3_EVENTS } from "../../../schema/events/vault-events.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import { bytesOf } from "../../invariant.ts";

/** SQL that reads a swap from its log. Positive amounts entered the pool, negative amounts left it. */
interface SwapForm {
  /** Null for anonymous events. */
  topic: Hex | null;
  /** Number of indexed arguments; default 2. */
  indexed?: 0 | 1 | 2 | 3;
  /** Address or id of the pool, e.g. the emitter of the log or a part of its data. */
  pool: Sql;
  /** Exact length of the data. */
  bytes: number;
  amount0: Sql;
  amount1: Sql;
  /** The tokens of the two amounts, if the event names them; default: the pool's tokens. */
  tokens?: readonly [Sql, Sql];
}

const wordAt = (index: number) =>
  sql`reinterpretAsInt256(reverse(substring(data, ${integer(1 + 32 * index)}, 32)))`;

const int128At = (byte: number) =>
  sql`toInt256(reinterpretAsInt128(reverse(substring(data, ${integer(1 + byte)}, 16))))`;

const EMITTER = bytesOf(sql`address`);
/** The first 20 bytes of a pool's id in Balancer V2. */
const V2_VAULT_POOL = sql`substring(ifNull(${bytesOf(sql`topic_1`)}, ''), 1, 20)`;
const V2_SWAP = {
  pool: EMITTER,
  amount0: sql`${wordAt(0)} - ${wordAt(2)}`,
  amount1: sql`${wordAt(1)} - ${wordAt(3)}`,
};
const addressIn = (topic: Sql) => sql`substring(ifNull(${bytesOf(topic)}, ''), 13, 20)`;

/**
 * Returns the fields of a swap whose event has the amounts that entered and left the pool, and whether token0
 * entered.
 */
function directed({ isToken0In, amountIn, amountOut }: Record<"isToken0In" | "amountIn" | "amountOut", Sql>) {
  return {
    pool: EMITTER,
    amount0: sql`if(${isToken0In} != 0, ${amountIn}, -${amountOut})`,
    amount1: sql`if(${isToken0In} != 0, -${amountOut}, ${amountIn})`,
  };
}

/** Returns the expression for the address in a word of the data. */
const addressAt = (index: number) => sql`substring(data, ${integer(13 + 32 * index)}, 20)`;
const V3_SWAP = { pool: EMITTER, amount0: wordAt(0), amount1: wordAt(1) };

const V4_SWAP = {
  pool: sql`ifNull(${bytesOf(sql`topic_1`)}, '')`,
  // The amounts are as the swapper sees them, so their signs are inverted.
  amount0: sql`-${wordAt(0)}`,
  amount1: sql`-${wordAt(1)}`,
};

/** The swap events of each family, declared independently of the decoder to check its output. */
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
      ...V4_SWAP,
    },
  ],
  "balancer-v1": [
    {
      topic: "0x908fb5ee8f16c6bc9bc3690973819f32a4d4b10188134543c88706e0e1d43378",
      indexed: 3,
      bytes: 64,
      pool: EMITTER,
      amount0: wordAt(0),
      amount1: sql`-${wordAt(1)}`,
      tokens: [addressIn(sql`topic_2`), addressIn(sql`topic_3`)],
    },
  ],
  trident: [
    {
      topic: "0xcd3829a3813dc3cdd188fd3d01dcf3268c16be2fdd2dd21d0665418816e46062",
      indexed: 3,
      bytes: 64,
      pool: EMITTER,
      amount0: wordAt(0),
      amount1: sql`-${wordAt(1)}`,
      tokens: [addressIn(sql`topic_2`), addressIn(sql`topic_3`)],
    },
  ],
  "balancer-v2": [
    {
      topic: "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b",
      indexed: 3,
      bytes: 64,
      pool: V2_VAULT_POOL,
      // Joins and exits exchange the pool's own shares, so they are not swaps.
      amount0: sql`if(${V2_VAULT_POOL} IN (${addressIn(sql`topic_2`)}, ${addressIn(sql`topic_3`)}), toInt256(0), ${wordAt(0)})`,
      amount1: sql`-${wordAt(1)}`,
      tokens: [addressIn(sql`topic_2`), addressIn(sql`topic_3`)],
    },
  ],
  // The tokens and amounts of a swap through buffers come from other logs of its transaction.
  "balancer-v3": [],
  "maverick-v1": [
    {
      topic: "0x3b841dc9ab51e3104bda4f61b41e4271192d22cd19da5ee6e292dc8e2744f713",
      indexed: 0,
      bytes: 224,
      ...directed({ isToken0In: wordAt(2), amountIn: wordAt(4), amountOut: wordAt(5) }),
    },
  ],
  "maverick-v2": [
    {
      topic: "0x103ed084e94a44c8f5f6ba8e3011507c41063177e29949083c439777d8d63f60",
      indexed: 0,
      bytes: 256,
      ...directed({ isToken0In: wordAt(3), amountIn: wordAt(6), amountOut: wordAt(7) }),
    },
  ],
  "dodo-v1": [
    {
      topic: "0xd8648b6ac54162763c86fd54bf2005af8ecd2f9cb273a5775921fd7f91e17b2d",
      indexed: 1,
      bytes: 64,
      pool: EMITTER,
      amount0: wordAt(0),
      amount1: sql`-${wordAt(1)}`,
    },
    {
      topic: "0xe93ad76094f247c0dafc1c61adc2187de1ac2738f7a3b49cb20b2263420251a3",
      indexed: 1,
      bytes: 64,
      pool: EMITTER,
      amount0: sql`-${wordAt(0)}`,
      amount1: wordAt(1),
    },
  ],
  "dodo-v2": [
    {
      topic: "0xc2c0245e056d5fb095f04cd6373bc770802ebd1e6c918eb78fdef843cdb37b0f",
      indexed: 0,
      bytes: 192,
      pool: EMITTER,
      amount0: wordAt(2),
      amount1: sql`-${wordAt(3)}`,
      tokens: [sql`substring(data, 13, 20)`, sql`substring(data, 45, 20)`],
    },
  ],
  ekubo: [
    {
      // Packed: locker (20 bytes), pool id (32), amounts (16 each), state (32).
      topic: null,
      indexed: 0,
      bytes: 116,
      pool: sql`substring(data, 21, 32)`,
      amount0: int128At(52),
      amount1: int128At(68),
    },
  ],
  "pancake-infinity-cl": [
    {
      topic: "0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237",
      bytes: 224,
      ...V4_SWAP,
    },
  ],
  "pancake-infinity-bin": [
    {
      topic: "0x3e8aae37f890eb1f9d63dd4d2062f3f0be757848a0f0760e4f3e53dad556e861",
      bytes: 160,
      ...V4_SWAP,
    },
  ],
  tessera: [
    {
      topic: "0x97ba0cd8ff13f074b3b1aeace7fa3bf7fe54bdf2d728b6a097e901073b2bad6a",
      indexed: 0,
      bytes: 160,
      pool: EMITTER,
      amount0: wordAt(2),
      amount1: sql`-${wordAt(3)}`,
      tokens: [addressAt(0), addressAt(1)],
    },
  ],
  elfomofi: [
    {
      topic: "0xbe65a3f1f381da16732df786f571604a72b7c122cff3ae2b355566ddf01e2528",
      bytes: 192,
      pool: EMITTER,
      amount0: wordAt(4),
      amount1: sql`-${wordAt(5)}`,
      tokens: [addressAt(2), addressAt(3)],
    },
  ],
  woofi: [
    {
      topic: "0x0e8e403c2d36126272b08c75823e988381d9dc47f2f0a9a080d95f891d95c469",
      indexed: 3,
      bytes: 192,
      pool: EMITTER,
      amount0: wordAt(0),
      amount1: sql`-${wordAt(1)}`,
      tokens: [addressIn(sql`topic_1`), addressIn(sql`topic_2`)],
    },
  ],
  solidly: [
    {
      topic: "0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b",
      bytes: 128,
      ...V2_SWAP,
    },
    {
      topic: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
      bytes: 128,
      ...V2_SWAP,
    },
  ],
  // The tokens come from the pool, and some amounts from other logs of the transaction.
  "curve-stable": [],
  "curve-crypto": [],
  fluid: [
    {
      topic: "0xdc004dbca4ef9c966218431ee5d9133d337ad018dd5b5c5493722803f75c64f7",
      indexed: 0,
      bytes: 128,
      ...directed({ isToken0In: wordAt(0), amountIn: wordAt(1), amountOut: wordAt(2) }),
    },
  ],
  // The exact amounts are in other logs of the transaction.
  "fluid-dex-lite": [],
  // The fees are in other logs of the transaction.
  "euler-swap-v1": [],
  "euler-swap-v2": [
    {
      topic: "0x8337ab1cd063c6a0121e4b67ad00ec5640783101bb89ad879ffb0fe28b503e95",
      bytes: 256,
      pool: EMITTER,
      amount0: sql`${wordAt(0)} + ${wordAt(4)} - ${wordAt(2)}`,
      amount1: sql`${wordAt(1)} + ${wordAt(5)} - ${wordAt(3)}`,
    },
  ],
  "algebra-integral": [
    {
      topic: "0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79",
      bytes: 224,
      ...V3_SWAP,
    },
  ],
  smardex: [
    {
      topic: "0xa4228e1eb11eb9b31069d9ed20e7af9a010ca1a02d4855cee54e08e188fcc32c",
      bytes: 64,
      ...V3_SWAP,
    },
  ],
  metric: [
    {
      topic: "0x87d25816ca01843f551b4caa5eea03b5173c84c383573c63081fb7575378276e",
      bytes: 192,
      pool: EMITTER,
      amount0: wordAt(1),
      amount1: wordAt(2),
    },
    {
      topic: "0x9734819749a91fc3be03ea83205f924ee08479bd3f0da48efc91d94d050cac1e",
      bytes: 96,
      pool: EMITTER,
      amount0: int128At(32),
      amount1: int128At(48),
    },
  ],
  "metric-v0": [
    {
      topic: "0xcd8b75a7fb6cb82ab3acded68ac53af5c43d19b51a91b9d5640bb73622dbdf57",
      indexed: 0,
      bytes: 224,
      pool: EMITTER,
      amount0: wordAt(3),
      amount1: wordAt(4),
    },
  ],
  // The tokens come from the pool.
  saddle: [],
  smoothy: [],
};

/**
 * Prints the condition for logs with this many indexed arguments: the last topic is present, and the next one
 * is not.
 */
const hasIndexed = (count: 0 | 1 | 2 | 3) =>
  [
    sql`topic_1 IS NULL`,
    sql`topic_1 IS NOT NULL AND topic_2 IS NULL`,
    sql`topic_2 IS NOT NULL AND topic_3 IS NULL`,
    sql`topic_3 IS NOT NULL`,
  ][count] ?? sql`0`;

const FORMS = Object.entries(SWAP_FORMS).flatMap(([family, forms]) =>
  forms.map((form) => ({ family, ...form })),
);

const isForm = ({ topic, bytes, indexed = 2 }: SwapForm) =>
  sql`${topic === null ? sql`topic_0 IS NULL` : sql`topic_0 = ${hexBytes(topic)}`} AND length(data) = ${integer(bytes)} AND ${hasIndexed(indexed)}`;

/** Number of a log's form, from 1; 0 if the log is not a swap. Computed once for each log, as `swap_form`. */
export const SWAP_FORM: Sql = sql`multiIf(${join(
  FORMS.map((form, i) => sql`${isForm(form)}, ${integer(i + 1)}`),
)}, 0) AS swap_form`;

/** True for Balancer V3's swaps, which have no form, but name their pool. */
const IS_V3_VAULT_SWAP = sql`ifNull(topic_0 = ${hexBytes(VAULT_V3_EVENTS.swap)}, 0)`;

/** True for logs with the form of a swap, regardless of the emitter. */
export const IS_SWAP: Sql = sql`swap_form != 0`;

/**
 * Returns the expression that selects a value by the log's form, or `otherwise` if the form does not define
 * the value.
 */
function byForm(value: (form: (typeof FORMS)[number]) => Sql | undefined, otherwise: Sql): Sql {
  const numbers = new Map<string, { value: Sql; forms: Sql[] }>();
  for (const [i, form] of FORMS.entries()) {
    const own = value(form);
    if (own === undefined) continue;
    const same = numbers.get(String(own)) ?? { value: own, forms: [] };
    same.forms.push(integer(i + 1));
    numbers.set(String(own), same);
  }
  const branches = [...numbers.values()].map((one) => sql`swap_form IN (${join(one.forms)}), ${one.value}`);
  return sql`multiIf(${join(branches)}, ${otherwise})`;
}

// The columns below refer to `swap_form`.
export const SWAP_POOL: Sql = byForm(
  ({ pool }) => pool,
  sql`if(${IS_V3_VAULT_SWAP}, ${addressIn(sql`topic_1`)}, ${EMITTER})`,
);
export const SWAP_AMOUNT_0: Sql = byForm(({ amount0 }) => amount0, sql`toInt256(0)`);
export const SWAP_AMOUNT_1: Sql = byForm(({ amount1 }) => amount1, sql`toInt256(0)`);
/** The tokens of the amounts; empty if they are the pool's tokens. */
export const SWAP_TOKEN_0: Sql = byForm(({ tokens }) => tokens?.[0], sql`''`);
export const SWAP_TOKEN_1: Sql = byForm(({ tokens }) => tokens?.[1], sql`''`);
/** The families whose pools emit logs of this form. */
export const SWAP_FAMILIES: Sql = byForm((form) => sql`[${join(sharing(form))}]`, sql`emptyArrayString()`);

/** Returns the names of the families whose logs have the form. */
function sharing(form: SwapForm): Sql[] {
  const sharers = FORMS.filter((other) => isForm(other) === isForm(form));
  return sharers.map(({ family }) => sql`'${family as Sql}'`);
}
