import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { Compartment, type Extension, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import type { SqlSchema } from "@quarry/sdk";
import { columnHover } from "./column-hover.ts";
import { completionOf } from "./completion.ts";
import { dialectOf } from "./dialect.ts";
import { editorTheme } from "./editor-theme.ts";
import type { QueryError } from "./query-error.ts";

interface Callbacks {
  onChange: (text: string) => void;
  onRun: () => void;
}

/** The extensions that depend on the schema. */
const language = new Compartment();

export function editorExtensions({ onChange, onRun }: Callbacks): Extension[] {
  const run = () => {
    onRun();
    return true;
  };
  return [
    Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
    // Tab accepts a completion; if there is none, it leaves the editor.
    keymap.of([
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
    ]),
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    placeholder("SELECT … FROM …"),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "SQL query" }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(state.doc.toString());
    }),
    language.of([]),
    editorTheme,
  ];
}

export function showSchema(view: EditorView, schema: SqlSchema): void {
  const extensions = [
    dialectOf(schema),
    // The list accepts keys as soon as it opens; with a delay, an early Tab would leave the editor.
    autocompletion({ override: [completionOf(schema)], icons: false, interactionDelay: 0 }),
    columnHover(schema),
  ];
  view.dispatch({ effects: language.reconfigure(extensions) });
}

/** Replaces the text only if it differs, because replacing it would move the cursor. */
export function showText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}

export function showError(view: EditorView, error: QueryError | null): void {
  view.dispatch(setDiagnostics(view.state, error === null ? [] : [diagnosticOf(view, error)]));
}

/** Returns an error as a diagnostic, with the service's suggestion as a fix if there is one. */
function diagnosticOf(view: EditorView, { from, to, message, suggestion }: QueryError): Diagnostic {
  const end = view.state.doc.length;
  const range = { from: Math.min(from, end), to: Math.min(to, end) };
  const replaceWith = (insert: string) => ({
    name: `Replace with ${insert}`,
    apply: (target: EditorView, at: number, until: number) =>
      target.dispatch({ changes: { from: at, to: until, insert } }),
  });
  const actions = suggestion === null ? [] : [replaceWith(suggestion)];
  return { ...range, severity: "error", message, actions };
}

export function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
  view.focus();
}

export function selectRange(view: EditorView, { from, to }: { from: number; to: number }): void {
  view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
  view.focus();
}
