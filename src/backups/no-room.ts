import { BaseError } from "../lib/error.ts";

/** A disk has too little free space for the data that is about to be copied. Nothing was copied. */
export class NoRoom extends BaseError {
  /** @param place a path on the disk. `free` and `needed` are numbers of bytes */
  constructor({ place, free, needed }: { place: string; free: number; needed: number }, advice: string) {
    const mib = (bytes: number) => Math.ceil(bytes / 2 ** 20);
    super(
      "disk-full",
      `The disk that holds ${place} has ${mib(free)} MiB free, but ${mib(needed)} MiB are needed. Nothing was copied. ${advice}`,
    );
  }
}
