const MAX_PREVIEW = 100;

/** Prints a value that a client gave, shortened and safe to print, for error messages. */
export function preview(given: unknown): string {
  const json = JSON.stringify(startOf(given, { left: MAX_PREVIEW + 1 })) ?? typeof given;
  return json.length > MAX_PREVIEW ? `${json.slice(0, MAX_PREVIEW)}…` : json;
}

/**
 * Returns the start of a value, long enough for the preview. Printing all of a large value would take too
 * long, and a very deeply nested one cannot be printed. Each level, item and character takes at least one
 * character of the preview.
 */
function startOf(given: unknown, room: { left: number }): unknown {
  room.left--;
  if (typeof given === "string") return startOfText(given, room);
  if (typeof given !== "object" || given === null) return given;
  if (Array.isArray(given)) {
    const items: unknown[] = [];
    for (const item of given) {
      if (room.left <= 0) break;
      items.push(startOf(item, room));
    }
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const name in given) {
    if (room.left <= 0) break;
    const value = (given as Record<string, unknown>)[name];
    fields.push([startOfText(name, room), startOf(value, room)]);
  }
  return Object.fromEntries(fields);
}

function startOfText(text: string, room: { left: number }): string {
  const start = text.slice(0, Math.max(0, room.left));
  room.left -= start.length;
  return start;
}
