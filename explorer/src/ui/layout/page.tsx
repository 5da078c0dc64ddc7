import type { ReactNode } from "react";
import { useEffect } from "react";
import styles from "./page.module.css";

/** What a page is about, its parts one below the other. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/** The page's name, with what is said or done beside it. */
export function PageHead({ children }: { children: ReactNode }) {
  return <header className={styles.head}>{children}</header>;
}

/** Names the page in its tab, in the history and to those who cannot see it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
