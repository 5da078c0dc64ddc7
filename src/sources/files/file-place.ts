/** A file of blocks, local or remote. */
export interface FilePlace {
  /** Name of the file, for messages. */
  name: string;
  /** First block, from the name or the content of the file. */
  firstBlock: number;
  /** Returns the local path of the file. Downloads the file if necessary. */
  path(signal: AbortSignal): Promise<string>;
  /** Must be called when the file is no longer needed. */
  release(): Promise<void>;
}
