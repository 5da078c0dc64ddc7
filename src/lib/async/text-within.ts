/**
 * Reads a UTF-8 text that is held in memory.
 *
 * @param tooLong makes the error that is thrown as soon as the text has more than `maxBytes`
 */
export async function textWithin(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLong: () => Error,
): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLong();
    read.push(chunk);
  }
  return Buffer.concat(read).toString();
}
