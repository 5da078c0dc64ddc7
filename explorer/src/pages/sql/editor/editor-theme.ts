import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The colours are CSS variables, so the editor follows the page's theme. */
const highlights = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--sql-keyword)", fontWeight: "600" },
  { tag: tags.special(tags.string), color: "var(--text)" },
  { tag: tags.string, color: "var(--sql-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--sql-number)" },
  { tag: tags.standard(tags.name), color: "var(--sql-function)" },
  { tag: tags.typeName, color: "var(--sql-keyword)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "13px", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", padding: "12px 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--sql-selection)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--raised)",
    outline: "1px solid var(--line-strong)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--down) 1.5px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    overflow: "hidden",
  },
  ".cm-tooltip .cm-doc, .cm-completionInfo.cm-tooltip": {
    maxWidth: "min(420px, 90vw)",
    padding: "8px 10px",
    fontSize: "13px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    fontSize: "13px",
    maxHeight: "15em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 10px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-faint) !important",
    color: "var(--text) !important",
  },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--down)", fontFamily: "var(--font)" },
  ".cm-placeholder": { color: "var(--quiet)" },
});

export const editorTheme = [theme, syntaxHighlighting(highlights)];
