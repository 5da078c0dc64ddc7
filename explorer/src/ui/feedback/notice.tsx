import { QuarryError } from "@quarry/sdk";
import type { ReactNode } from "react";
import { useId, useState } from "react";
import { setKey } from "../../queries/service/client.ts";
import { Button } from "../controls/button.tsx";
import styles from "./notice.module.css";

/** Asks for the API key that the service requires, and stores it in this browser. */
export function KeyForm({ onSaved }: { onSaved: () => void }) {
  const [key, setKeyText] = useState("");
  const id = useId();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    setKey(key.trim());
    onSaved();
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
        onChange={(e) => setKeyText(e.target.value)}
      />
      <Button type="submit">Save</Button>
    </form>
  );
}

/** Explains why there is no content, and what to do. */
export function Notice({ children }: { children: ReactNode }) {
  return <p className={styles.notice}>{children}</p>;
}

/**
 * Shows the error of a request, with a retry button, or with a form for the API key if access was refused.
 */
export function ErrorNotice({ error, retry }: { error: Error; retry: () => void }) {
  const isUnauthorized = error instanceof QuarryError && error.status === 401;
  return (
    <div className={styles.error} role="alert">
      <p>{error.message}</p>
      {isUnauthorized ? <KeyForm onSaved={retry} /> : <Button onClick={retry}>Try again</Button>}
    </div>
  );
}
