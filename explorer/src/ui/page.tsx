import type { ReactNode } from "react";
import styles from "./page.module.css";

/** What a page is about, its parts one below the other. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/** The page's name, with what is said or done beside it. */
export function PageHead({ children }: { children: ReactNode }) {
  return <header className={styles.head}>{children}</header>;
}
