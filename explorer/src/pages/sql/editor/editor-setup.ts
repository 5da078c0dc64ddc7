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

interface Calls {
  onChange: (text: string) => void;
  onRun: () => void;
}

/** What comes with the schema. */
const language = new Compartment();

export function editorExtensions({ onChange, onRun }: Calls): Extension[] {
  const run = () => {
    onRun();
    return true;
  };
  return [
    Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
    // Tab takes what is offered, and leaves the editor where nothing is.
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
  const parts = [
    dialectOf(schema),
    // A list takes keys as soon as it opens: else a Tab in its first moment would leave the editor.
    autocompletion({ override: [completionOf(schema)], icons: false, interactionDelay: 0 }),
    columnHover(schema),
  ];
  view.dispatch({ effects: language.reconfigure(parts) });
}

/** Another text, from outside; the same stays as it is, with its cursor. */
export function showText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}

export function showError(view: EditorView, mistake: QueryError | null): void {
  view.dispatch(setDiagnostics(view.state, mistake === null ? [] : [diagnosticOf(view, mistake)]));
}

/** With a way to write what is meant instead, where the service knows. */
function diagnosticOf(view: EditorView, { from, to, sentence, suggestion }: QueryError): Diagnostic {
  const end = view.state.doc.length;
  const place = { from: Math.min(from, end), to: Math.min(to, end) };
  const write = (insert: string) => ({
    name: `Write ${insert}`,
    apply: (target: EditorView, at: number, until: number) =>
      target.dispatch({ changes: { from: at, to: until, insert } }),
  });
  const actions = suggestion === null ? [] : [write(suggestion)];
  return { ...place, severity: "error", message: sentence, actions };
}

export function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
  view.focus();
}

export function selectPlace(view: EditorView, { from, to }: { from: number; to: number }): void {
  view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
  view.focus();
}
