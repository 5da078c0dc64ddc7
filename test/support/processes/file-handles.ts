import { closeSync, openSync } from "node:fs";

/** Runs work while this process has no free file handle. */
export async function withoutFileHandles<T>(work: () => Promise<T>): Promise<T> {
  const handles = allHandles();
  try {
    return await work();
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

/** Opens files until the process may not open another one. */
function allHandles(): number[] {
  const handles: number[] = [];
  for (;;) {
    try {
      handles.push(openSync("/dev/null", "r"));
    } catch {
      return handles;
    }
  }
}
