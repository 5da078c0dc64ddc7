import type { BackupTarget } from "../targets/target.ts";

/** Reads a small file. */
export async function readText(target: BackupTarget, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of target.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export async function writeText(target: BackupTarget, name: string, text: string): Promise<void> {
  await target.write(name, oneChunk(text));
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
