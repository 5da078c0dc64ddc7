import { useId, useState } from "react";
import { setKey } from "../questions/client.ts";
import { Button } from "./button.tsx";
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
