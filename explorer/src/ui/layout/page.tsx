import type { ReactNode } from "react";
import { useEffect } from "react";
import styles from "./page.module.css";

/** The content of a page, stacked vertically. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/** The page's heading, with badges or links next to it. */
export function PageHead({ children }: { children: ReactNode }) {
  return <header className={styles.head}>{children}</header>;
}

/** Sets the title of the document. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
