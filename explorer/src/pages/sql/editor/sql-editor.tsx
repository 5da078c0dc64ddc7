import { EditorView } from "@codemirror/view";
import type { SqlSchema } from "@quarry/sdk";
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import {
  editorExtensions,
  insertText,
  selectRange,
  showError,
  showSchema,
  showText,
} from "./editor-setup.ts";
import type { QueryError } from "./query-error.ts";

/** The editor's methods for other components. */
export interface EditorHandle {
  /** Inserts text at the cursor or in place of the selection, and focuses the editor. */
  insert(text: string): void;
  /** Selects a range of the text. */
  goTo(range: { from: number; to: number }): void;
}

interface SqlEditorProps {
  text: string;
  onChange: (text: string) => void;
  onRun: () => void;
  /** Undefined until loaded; until then there are no completions. */
  schema: SqlSchema | undefined;
  /** The error that the service reported for this text. */
  queryError: QueryError | null;
  ref: Ref<EditorHandle>;
}

export function SqlEditor({ text, onChange, onRun, schema, queryError, ref }: SqlEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  // The editor is created once and calls the latest callbacks.
  const callbacks = useRef({ onChange, onRun });
  useEffect(() => {
    callbacks.current = { onChange, onRun };
  });
  useEffect(() => {
    if (container.current === null) return;
    const extensions = editorExtensions({
      onChange: (changed) => callbacks.current.onChange(changed),
      onRun: () => callbacks.current.onRun(),
    });
    const created = new EditorView({ parent: container.current, extensions });
    setView(created);
    return () => {
      setView(null);
      created.destroy();
    };
  }, []);
  useEffect(() => {
    if (view !== null) showText(view, text);
  }, [view, text]);
  useEffect(() => {
    if (view !== null && schema !== undefined) showSchema(view, schema);
  }, [view, schema]);
  useEffect(() => {
    if (view !== null) showError(view, queryError);
  }, [view, queryError]);
  useImperativeHandle(ref, () => ({
    insert: (inserted) => view !== null && insertText(view, inserted),
    goTo: (range) => view !== null && selectRange(view, range),
  }));
  return <div ref={container} style={{ height: "100%" }} />;
}
