import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/controls/button.tsx";
import { MAX_SAVED, savedQueries } from "../sidebar/stored-queries.ts";
import styles from "../sql-page.module.css";

const MAX_NAME = 80;

/** Asks for a name and keeps the query under it in this browser; the name of another one replaces that. */
export function SaveForm({ query, onDone }: { query: string; onDone: () => void }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const saved = savedQueries.items();
    if (saved.length >= MAX_SAVED && !saved.some((each) => each.name === name.trim())) {
      setProblem(`${MAX_SAVED} queries are saved, which is the most: delete one first.`);
    } else if (savedQueries.add({ name: name.trim(), query })) {
      onDone();
    } else {
      setProblem("This browser keeps nothing for this page: the query is saved until you leave it.");
    }
  };
  return (
    <form className={styles.save} onSubmit={submit}>
      <label>
        <span>Name</span>
        <input
          // biome-ignore lint/a11y/noAutofocus: it comes where one asked for it, and asks for a name
          autoFocus
          className="field"
          value={name}
          maxLength={MAX_NAME}
          required
          pattern=".*\S.*"
          onChange={({ target }) => setName(target.value)}
          onKeyDown={({ key }) => key === "Escape" && onDone()}
        />
      </label>
      <Button type="submit">Keep it</Button>
      <Button onClick={onDone}>Never mind</Button>
      {problem === null ? null : <span role="alert">{problem}</span>}
    </form>
  );
}
