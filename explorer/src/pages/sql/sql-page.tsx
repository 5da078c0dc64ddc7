import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useChain } from "../../queries/chain/use-chain.ts";
import { sqlSchemaQuery } from "../../queries/service/sql-schema.ts";
import { Skeleton } from "../../ui/feedback/query-content.tsx";
import { useTitle } from "../../ui/layout/page.tsx";
import { initialText, saveDraft } from "./editor/draft.ts";
import { queryErrorOf } from "./editor/query-error.ts";
import { queryLink } from "./editor/query-link.ts";
import type { EditorHandle } from "./editor/sql-editor.tsx";
import { Toolbar } from "./editor/toolbar.tsx";
import { type Outcome, type Runs, useRuns } from "./query-runs.ts";
import { Results } from "./result/results.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { pastRuns } from "./sidebar/stored-queries.ts";
import styles from "./sql-page.module.css";
import { parseSqlSearch } from "./sql-search.ts";

const SqlEditor = lazy(() =>
  import("./editor/sql-editor.tsx").then(({ SqlEditor: default_ }) => ({ default: default_ })),
);

const EDITOR_PX = 260;

export function SqlPage() {
  const { linked, place } = useEntry();
  const schema = useQuery(sqlSchemaQuery());
  const chain = useChain();
  const { text, changeText } = useEditorText(linked, place);
  const editor = useRef<EditorHandle>(null);
  const runs = useRuns(addToHistory);
  const runText = useLinkedQuery({ linked, place, changeText, runs });
  const queryError = useQueryError(runs.outcome, text);
  useTitle("SQL · Quarry");
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">SQL console</h1>
      <section className={styles.editor} aria-label="Editor">
        <div className={styles.code} style={{ height: EDITOR_PX }}>
          <Suspense fallback={<Skeleton height={EDITOR_PX} />}>
            <SqlEditor
              ref={editor}
              text={text}
              onChange={changeText}
              onRun={() => runText(text)}
              schema={schema.data}
              queryError={queryError}
            />
          </Suspense>
        </div>
        <Toolbar text={text} running={runs.running} onRun={() => runText(text)} onCancel={runs.cancel} />
      </section>
      <div className={styles.results}>
        <Results
          runs={runs}
          schema={schema.data}
          queryError={queryError}
          onGoTo={(range) => editor.current?.goTo(range)}
        />
      </div>
      <Sidebar
        schema={schema}
        chain={chain}
        onOpen={runText}
        onInsert={(name) => editor.current?.insert(name)}
      />
    </div>
  );
}

/**
 * Returns the current entry of the browser's history: its key, and its query. Both come from the same
 * location, because the route's search parameters change only after it: the new entry's key with the previous
 * entry's query would look like a link, which replaces the editor's text.
 */
function useEntry(): { linked: string | undefined; place: string } {
  const linked = useLocation({ select: ({ search }) => parseSqlSearch(search).query });
  const place = useLocation({ select: ({ state }) => state.__TSR_key ?? "" });
  return { linked, place };
}

/** Returns the text of the editor, which is saved as a draft on each change. */
function useEditorText(linked: string | undefined, place: string) {
  const [text, setText] = useState(() => initialText({ linked, place }));
  const changeText = useCallback(
    (changed: string) => {
      setText(changed);
      saveDraft({ text: changed, place });
    },
    [place],
  );
  return { text, changeText };
}

/**
 * Keeps the running query in the URL, so going back runs the previous one, and a shared link shows what its
 * sender saw. Running a linked query automatically is harmless: queries only read, the service limits their
 * rows, time, memory and concurrency, and no other page can frame this one or read its content.
 */
function useLinkedQuery({
  linked,
  place,
  changeText,
  runs: { run },
}: {
  linked: string | undefined;
  place: string;
  changeText: (text: string) => void;
  runs: Runs;
}): (text: string) => void {
  const navigate = useNavigate();
  useEffect(() => {
    if (linked === undefined) return;
    changeText(initialText({ linked, place }));
    run(linked);
  }, [linked, place, changeText, run]);
  return useCallback(
    (text) => {
      if (text.trim() === "") return;
      if (text === linked || queryLink(text) === null) {
        changeText(text);
        run(text);
      } else void navigate({ to: "/sql", search: { query: text } });
    },
    [linked, run, changeText, navigate],
  );
}

/** Returns the error of the last run while the text is still the query that failed. */
function useQueryError(outcome: Outcome | null, text: string) {
  return useMemo(() => {
    if (outcome?.kind !== "failed" || outcome.query !== text) return null;
    return queryErrorOf(outcome.error);
  }, [outcome, text]);
}

function addToHistory(outcome: Outcome): void {
  const at = Math.floor(Date.now() / 1000);
  if (outcome.kind === "answered") {
    const { query, rows } = outcome.answer;
    pastRuns.add({ query, at, rows: rows.length });
  } else {
    pastRuns.add({ query: outcome.query, at, rows: null });
  }
}
