import { type FileHandle, open } from "node:fs/promises";
import { BaseError } from "../../lib/error.ts";
import { fileBytes } from "../../lib/regular-file.ts";
import { systemCode } from "../../lib/system-error.ts";
import { invalidAt } from "./invalid-file.ts";

/** An open file, read by position. */
export class ByteFile {
  /** Path of the file, for messages. */
  readonly name: string;
  readonly size: number;
  readonly #handle: FileHandle;

  private constructor(name: string, size: number, handle: FileHandle) {
    this.name = name;
    this.size = size;
    this.#handle = handle;
  }

  /** @throws UnreadableFile */
  static async open(path: string): Promise<ByteFile> {
    let handle: FileHandle | null = null;
    try {
      const size = await fileBytes(path);
      handle = await open(path);
      return new ByteFile(path, size, handle);
    } catch (error) {
      await handle?.close();
      if (error instanceof BaseError) throw error;
      throw new UnreadableFile(path, error);
    }
  }

  /** @throws InvalidFile if the file ends too early; UnreadableFile */
  async read(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await this.#handle
        .read(bytes, filled, length - filled, offset + filled)
        .catch((error: unknown) => {
          throw new UnreadableFile(this.name, error);
        });
      if (bytesRead === 0) throw invalidAt(this.name, offset + filled, "the file ends here");
      filled += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

class UnreadableFile extends BaseError {
  constructor(path: string, cause: unknown) {
    super("bad-config", `cannot read the file ${path} (${systemCode(cause)})`, { cause });
  }
}
