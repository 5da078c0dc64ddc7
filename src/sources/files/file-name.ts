import { BaseError } from "../../lib/error.ts";
import type { HeaderChain } from "../archive/check-headers.ts";
import { ERA_BLOCKS } from "../e2store/block-index.ts";
import type { EraFile } from "../e2store/era-file.ts";
import { InvalidFile } from "../e2store/invalid-file.ts";

/** `.erae` is the extension that ere files had before their format was specified. */
const NAME =
  /^(?<network>[a-z0-9]+)-(?<era>\d{5})-(?<hash>[0-9a-f]{8})(?<profile>(?:-[a-z]+)*)\.(?<form>era1|erae|ere)$/;
const EXTENSION = /\.(era1|erae|ere)$/;

/** The content of an era file, according to its name. */
export interface EraName {
  firstBlock: number;
  /** Start of a hash: in ere, the hash of the last block; in era1, the accumulator. */
  hashStart: string;
}

/** Parses the name of an era file. Returns null if the name has another form. */
export function parseEraName(name: string): EraName | null {
  const groups = NAME.exec(name)?.groups;
  if (groups === undefined) return null;
  return { firstBlock: Number(groups.era) * ERA_BLOCKS, hashStart: groups.hash ?? "" };
}

export function isEraFile(name: string): boolean {
  return EXTENSION.test(name);
}

/**
 * Checks the hash in the name of a file. A file may have any name, but if the name has the usual form, its
 * hash must be correct.
 *
 * @throws InvalidFile
 */
export function requireName(file: EraFile, { last }: HeaderChain): void {
  const said = parseEraName(file.name);
  if (said === null) return;
  const accumulator = file.accumulator === null ? "" : Buffer.from(file.accumulator).toString("hex");
  const hash = file.index.format === "era1" ? accumulator : last.hash.slice(2);
  if (!hash.startsWith(said.hashStart)) {
    throw new InvalidFile(
      file.name,
      "name",
      `the hash in the name is ${said.hashStart}, but the content has ${hash.slice(0, 8)}`,
    );
  }
}

/** The file does not have the receipts that Quarry needs. */
export class NoReceipts extends BaseError {
  constructor(file: string) {
    super("unsupported", `${file} has no receipts. Give files of a profile that includes receipts`);
  }
}
