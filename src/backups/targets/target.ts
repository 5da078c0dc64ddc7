/** A place that holds backups: a folder, or a bucket of an S3-compatible store. */
export interface BackupTarget {
  /** Name of the place, for messages. */
  readonly place: string;
  /** Number of files worth copying at the same time. */
  readonly parallel: number;
  /** Lists the files whose names begin with a prefix. */
  list(prefix: string): Promise<StoredFile[]>;
  /** Reads a file. @throws MissingFile */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Writes a file, which gets its name only when it is complete and stored durably. */
  write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Removes files; missing ones are not an error. */
  remove(names: readonly string[]): Promise<void>;
  /** Returns the free space in bytes; null if there is no known limit. */
  freeBytes(): Promise<number | null>;
  /**
   * Prevents other processes from changing the place, and removes the remains of an interrupted write.
   *
   * @param onLost called if another process has taken over, so this one must stop
   * @throws TargetInUse
   */
  lock(onLost: (error: Error) => void): Promise<{ release(): Promise<void> }>;
}

export interface StoredFile {
  name: string;
  bytes: number;
}
