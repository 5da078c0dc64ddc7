/**
 * The values of each field of a message, in order, by field number. A value is a number, or the bytes of a
 * string or of a nested message.
 */
export type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** Decodes a protobuf message without its schema. */
export function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const take = (count: number) => {
    at += count;
    if (at > message.length) throw new RangeError("the message ends early");
    return message.subarray(at - count, at);
  };
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const [byte = 0] = take(1);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const readers: Record<number, () => bigint | Buffer> = {
    [VARINT]: varint,
    [FIXED_64]: () => take(8).readBigUInt64LE(),
    [BYTES]: () => take(Number(varint())),
    [FIXED_32]: () => BigInt(take(4).readUInt32LE()),
  };
  while (at < message.length) {
    const key = Number(varint());
    const value = readers[key & 7]?.();
    if (value === undefined) throw new RangeError(`unknown wire type ${key & 7}`);
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value]);
  }
  return fields;
}

export function messagesIn(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
}

export function bytesIn(fields: Fields, number: number): Buffer {
  return (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

export function numberIn(fields: Fields, number: number): bigint {
  return (fields.get(number)?.[0] as bigint | undefined) ?? 0n;
}
