import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/controls/button.tsx";
import { MAX_SAVED, savedQueries } from "../sidebar/stored-queries.ts";
import styles from "../sql-page.module.css";

const MAX_NAME = 80;

/** Saves the query under a name in this browser, replacing any query of the same name. */
export function SaveForm({ query, onDone }: { query: string; onDone: () => void }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const saved = savedQueries.items();
    if (saved.length >= MAX_SAVED && !saved.some((each) => each.name === name.trim())) {
      setProblem(`The limit of ${MAX_SAVED} saved queries is reached. Delete one first.`);
    } else if (savedQueries.add({ name: name.trim(), query })) {
      onDone();
    } else {
      setProblem("This browser blocks storage for this page: the query is saved only until you leave.");
    }
  };
  return (
    <form className={styles.save} onSubmit={submit}>
      <label>
        <span>Name</span>
        <input
          // biome-ignore lint/a11y/noAutofocus: the form opens on request and has only this field
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
      <Button type="submit">Save</Button>
      <Button onClick={onDone}>Cancel</Button>
      {problem === null ? null : <span role="alert">{problem}</span>}
    </form>
  );
}
