import { QuarryError } from "@quarry/sdk";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { KeyForm } from "./key-form.tsx";
import styles from "./notice.module.css";

/** Says why there is nothing to see, and what to do. */
export function Notice({ children }: { children: ReactNode }) {
  return <p className={styles.notice}>{children}</p>;
}

/** What failed, in the service's own words, with a way to try again. */
export function ErrorNotice({ error, retry }: { error: Error; retry: () => void }) {
  const isLocked = error instanceof QuarryError && error.status === 401;
  return (
    <div className={styles.error} role="alert">
      <p>{error.message}</p>
      {isLocked ? <KeyForm then={retry} /> : <Button onClick={retry}>Try again</Button>}
    </div>
  );
}
