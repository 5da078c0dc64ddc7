import type { Hex } from "../../lib/hex.ts";
import { keccakHex } from "../verify/encoding.ts";
import { headerFieldNames, MIN_HEADER_FIELDS } from "../verify/header.ts";
import { MalformedRlp, RlpList, WORD_BYTES } from "./rlp-list.ts";
import { UnknownFormat } from "./unknown-format.ts";

/** A decoded header. `fields` has the names and formats of JSON-RPC. */
export interface ArchivedHeader {
  hash: Hex;
  number: number;
  parentHash: Hex;
  /** Zero since the merge. */
  difficulty: bigint;
  fields: ReadonlyMap<string, Hex>;
  /** Length of the encoded header, in bytes. */
  size: number;
}

/**
 * Maximum size of a header. Ethereum headers are about 600 bytes long, because their extra data is limited to
 * 32 bytes. Only networks that list their validators in the extra data have longer headers.
 */
const MAX_HEADER_BYTES = 16_384;

const FIELDS = headerFieldNames();

/** @throws MalformedRlp, UnknownFormat */
export function decodeHeader(encoded: Uint8Array): ArchivedHeader {
  if (encoded.length > MAX_HEADER_BYTES)
    throw new MalformedRlp(`the header has ${encoded.length} bytes, above the limit of ${MAX_HEADER_BYTES}`);
  const rlp = RlpList.decode(encoded, "the header");
  const { length } = rlp;
  if (length > FIELDS.length) throw new UnknownFormat(`headers with ${length} fields`);
  rlp.requireLength(MIN_HEADER_FIELDS, FIELDS.length);
  const fields = new Map(
    FIELDS.slice(0, length).map(({ name, isQuantity }, i) => [
      name,
      isQuantity ? rlp.quantity(i) : rlp.hex(i),
    ]),
  );
  return {
    hash: keccakHex(encoded),
    number: Number(fields.get("number")),
    parentHash: rlp.hex(0, WORD_BYTES),
    difficulty: BigInt(fields.get("difficulty") ?? "0x0"),
    fields,
    size: encoded.length,
  };
}
