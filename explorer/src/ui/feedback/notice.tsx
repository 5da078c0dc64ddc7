import { QuarryError } from "@quarry/sdk";
import type { ReactNode } from "react";
import { useId, useState } from "react";
import { setKey } from "../../queries/service/client.ts";
import { Button } from "../controls/button.tsx";
import styles from "./notice.module.css";

/** Asks for the key that the service wants. It stays in this browser. */
export function KeyForm({ then }: { then: () => void }) {
  const [key, change] = useState("");
  const id = useId();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    setKey(key.trim());
    then();
  };
  return (
    <form className={styles.key} onSubmit={submit}>
      <label htmlFor={id}>API key</label>
      <input
        className="field"
        id={id}
        type="password"
        autoComplete="off"
        required
        value={key}
        onChange={(e) => change(e.target.value)}
      />
      <Button type="submit">Use it</Button>
    </form>
  );
}

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
