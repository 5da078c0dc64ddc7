/** A file of blocks, wherever it is. */
export interface FilePlace {
  /** For messages. */
  name: string;
  /** What its name says, or its content. */
  firstBlock: number;
  /** Path of the file on this machine. Downloads it if necessary. */
  path(signal: AbortSignal): Promise<string>;
  /** The file is not needed any more. */
  release(): Promise<void>;
}
