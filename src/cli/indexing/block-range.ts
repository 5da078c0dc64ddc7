import { BaseError } from "../../lib/error.ts";

/** A range of blocks from the command line; both ends are included and optional. */
export interface BlockRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** @throws EmptyRange if both ends are given, and `to` is before `from` */
export function requireRange({ from, to }: BlockRange): void {
  if (from !== undefined && to !== undefined && to < from) throw new EmptyRange(`--from ${from}`, to);
}

export class EmptyRange extends BaseError {
  /** @param first the start of the range, in words */
  constructor(first: string, to: number) {
    super("bad-config", `--to ${to} is before ${first}. Give a later --to or an earlier --from.`);
  }
}
