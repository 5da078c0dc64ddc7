import { EditorView } from "@codemirror/view";
import type { SqlSchema } from "@quarry/sdk";
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import {
  editorExtensions,
  insertText,
  selectPlace,
  showError,
  showSchema,
  showText,
} from "./editor-setup.ts";
import type { QueryError } from "./query-error.ts";

/** What others may do with the editor. */
export interface EditorHandle {
  /** Writes at the cursor, in the place of what is selected, and goes there. */
  insert(text: string): void;
  /** Goes to a place in the text. */
  goTo(place: { from: number; to: number }): void;
}

interface SqlEditorProps {
  text: string;
  onChange: (text: string) => void;
  onRun: () => void;
  /** Undefined while it is awaited: until then the text has no completion. */
  schema: SqlSchema | undefined;
  /** What the service finds wrong with this very text. */
  mistake: QueryError | null;
  ref: Ref<EditorHandle>;
}

export function SqlEditor({ text, onChange, onRun, schema, mistake, ref }: SqlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  // The editor is made once, and calls what is newest.
  const calls = useRef({ onChange, onRun });
  useEffect(() => {
    calls.current = { onChange, onRun };
  });
  useEffect(() => {
    if (place.current === null) return;
    const extensions = editorExtensions({
      onChange: (changed) => calls.current.onChange(changed),
      onRun: () => calls.current.onRun(),
    });
    const created = new EditorView({ parent: place.current, extensions });
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
    if (view !== null) showError(view, mistake);
  }, [view, mistake]);
  useImperativeHandle(ref, () => ({
    insert: (inserted) => view !== null && insertText(view, inserted),
    goTo: (where) => view !== null && selectPlace(view, where),
  }));
  return <div ref={place} style={{ height: "100%" }} />;
}
