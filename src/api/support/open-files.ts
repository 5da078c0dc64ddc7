import { existsSync, readdirSync, readlinkSync } from "node:fs";

/** The system's list of open files of this process. */
const DESCRIPTORS = "/proc/self/fd";

export const canListOpenFiles = existsSync(DESCRIPTORS);

/** Returns how many temporary files of answers this process has open. */
export function bufferFiles(): number {
  return readdirSync(DESCRIPTORS).filter((name) => targetOf(name).includes("quarry-answer-")).length;
}

/** Returns the file of a descriptor; an empty string if it was closed meanwhile. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`${DESCRIPTORS}/${descriptor}`);
  } catch {
    return "";
  }
}
