const KEY = "quarry.sql.draft";

interface Draft {
  text: string;
  /** The entry of the browser's history in which it was written: it outlives a reload, and no new link has it. */
  place: string;
}

/** Keeps what stands in the editor until this tab is closed, run or not. */
export function saveDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is closed or full: the text is there until the page is left.
  }
}

/** What the editor begins with: a link shows its own query, unless this very text was written over it. */
export function initialText({ linked, place }: { linked: string | undefined; place: string }): string {
  const draft = savedDraft();
  if (draft !== null && (linked === undefined || draft.place === place)) return draft.text;
  return linked ?? "";
}

function savedDraft(): Draft | null {
  try {
    const { text, place } = Object(JSON.parse(sessionStorage.getItem(KEY) ?? "null")) as Record<
      string,
      unknown
    >;
    return typeof text === "string" && typeof place === "string" ? { text, place } : null;
  } catch {
    return null;
  }
}
