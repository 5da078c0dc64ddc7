import { useEffect } from "react";

/** Names the page in its tab, in the history and to those who cannot see it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
