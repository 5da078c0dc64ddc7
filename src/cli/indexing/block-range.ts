import { BaseError } from "../../lib/error.ts";

/** Blocks as a command line names them: both ends count, and either may be left open. */
export interface BlockRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** @throws EmptyRange where both ends are given, and no block lies between them */
export function requireRange({ from, to }: BlockRange): void {
  if (from !== undefined && to !== undefined && to < from) throw new EmptyRange(`--from ${from}`, to);
}

/** `bad-config` */
export class EmptyRange extends BaseError {
  /** @param first what the range begins with, in words */
  constructor(first: string, to: number) {
    super("bad-config", `--to ${to} lies before ${first}. Give a later --to, or an earlier --from.`);
  }
}
