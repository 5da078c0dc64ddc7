const KEY = "quarry.sql.draft";

interface Draft {
  text: string;
  /**
   * Key of the history entry in which the text was written. It stays the same on reload, and is new for each
   * link.
   */
  place: string;
}

/** Stores the text of the editor until the tab is closed. */
export function saveDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is unavailable or full: the text is lost when the user leaves the page.
  }
}

/** Returns the initial text: a link's query, unless the user has already edited it in this history entry. */
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
