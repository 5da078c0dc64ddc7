import { useState } from "react";
import { Button } from "../../../ui/controls/button.tsx";
import { useCopied } from "../../../ui/controls/copy-button.tsx";
import type { Running } from "../query-runs.ts";
import { Elapsed } from "../result/results.tsx";
import styles from "../sql-page.module.css";
import { queryLink } from "./query-link.ts";
import { SaveForm } from "./save-form.tsx";

interface ToolbarProps {
  text: string;
  running: Running | null;
  onRun: () => void;
  onCancel: () => void;
}

/** Actions on the query in the editor. */
export function Toolbar({ text, running, onRun, onCancel }: ToolbarProps) {
  const [isNaming, setNaming] = useState(false);
  const isEmpty = text.trim() === "";
  return (
    <div className={styles.toolbar}>
      <Button weight="primary" onClick={onRun} disabled={isEmpty}>
        Run
      </Button>
      {running === null ? (
        <kbd className={styles.keys}>{RUN_KEYS}</kbd>
      ) : (
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Elapsed startedAt={running.startedAt} />
        </>
      )}
      <span className={styles.end}>
        {isNaming ? (
          <SaveForm query={text} onDone={() => setNaming(false)} />
        ) : (
          <Button onClick={() => setNaming(true)} disabled={isEmpty}>
            Save
          </Button>
        )}
        <CopyLink text={text} isEmpty={isEmpty} />
      </span>
    </div>
  );
}

const RUN_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl Enter";

/** Copies a link that opens and runs the query in the editor. */
function CopyLink({ text, isEmpty }: { text: string; isEmpty: boolean }) {
  const link = queryLink(text);
  const [isCopied, copy] = useCopied(link ?? "");
  const hint = link === null ? "The query is too long for a link. Save it or copy its text." : undefined;
  return (
    <span title={hint}>
      <Button onClick={copy} disabled={isEmpty || link === null}>
        {isCopied ? "Copied" : "Copy link"}
      </Button>
    </span>
  );
}
