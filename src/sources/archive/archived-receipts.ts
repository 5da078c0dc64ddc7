import type { Log } from "../../schema/block.ts";
import { bloomOf } from "../verify/bloom.ts";
import { envelope, rlp, rlpOfEncoded } from "../verify/encoding.ts";
import { ADDRESS_BYTES, RlpList, WORD_BYTES } from "./rlp-list.ts";

const BLOOM_BYTES = 256;

export interface ArchivedReceipt {
  /** The bytes that the receipts root commits to. */
  encoded: Uint8Array;
  bloom: Uint8Array;
  /** 1 for success, 0 for failure; null before Byzantium, when receipts had a state root instead. */
  status: 0 | 1 | null;
  /** Gas used by this transaction and those before it in the block. */
  cumulativeGasUsed: number;
  logs: Log[];
}

/**
 * Decodes the receipts of a block. A damaged file may list a million of them, so their number is checked
 * before they are read.
 *
 * @param transactions number of transactions in the block
 * @param form `full`: the form that the receipts root commits to; `slim`: each receipt is a list that begins
 * with the type and has no bloom, so the bloom is computed from the logs
 * @throws MalformedRlp
 */
export function decodeReceipts(
  bytes: Uint8Array,
  form: "full" | "slim",
  transactions: number,
): ArchivedReceipt[] {
  const list = RlpList.decode(bytes, "the receipts");
  list.requireLength(transactions);
  const logs = new LogReader();
  return list.map((i) => (form === "full" ? fullReceipt(list, i, logs) : slimReceipt(list, i, logs)));
}

function fullReceipt(list: RlpList, i: number, logs: LogReader): ArchivedReceipt {
  const isLegacy = list.isList(i);
  const name = `receipt ${i}`;
  const encoded = isLegacy ? list.encodings(i) : list.bytes(i);
  const receipt = isLegacy ? list.list(i, name) : RlpList.decode(encoded.subarray(1), name);
  receipt.requireLength(4);
  return {
    encoded,
    bloom: receipt.bytes(2, BLOOM_BYTES),
    status: statusOf(receipt, 0),
    cumulativeGasUsed: receipt.integer(1),
    logs: logs.read(receipt.list(3, "logs")),
  };
}

function slimReceipt(list: RlpList, i: number, reader: LogReader): ArchivedReceipt {
  const receipt = list.list(i, `receipt ${i}`);
  receipt.requireLength(4);
  const logs = reader.read(receipt.list(3, "logs"));
  const bloom = bloomOf(logs);
  const fields = [receipt.encodings(1, 2), rlp(bloom), receipt.encodings(3)];
  return {
    encoded: envelope(receipt.integer(0), rlpOfEncoded(fields)),
    bloom,
    status: statusOf(receipt, 1),
    cumulativeGasUsed: receipt.integer(2),
    logs,
  };
}

function statusOf(receipt: RlpList, i: number): ArchivedReceipt["status"] {
  const { length } = receipt.bytes(i);
  if (length > 1 && length !== WORD_BYTES) throw receipt.malformed(`has a status of ${length} bytes`);
  if (length === WORD_BYTES) return null;
  return receipt.bigint(i) === 1n ? 1 : 0;
}

/** Reads the logs of a block, and numbers them consecutively across its transactions. */
class LogReader {
  #next = 0;

  read(logs: RlpList): Log[] {
    return logs.map((i) => {
      const log = logs.list(i, `log ${i}`);
      log.requireLength(3);
      const topics = log.list(1, "topics");
      return {
        address: log.hex(0, ADDRESS_BYTES),
        topics: topics.map((topic) => topics.hex(topic, WORD_BYTES)),
        data: log.hex(2),
        logIndex: this.#next++,
      };
    });
  }
}
