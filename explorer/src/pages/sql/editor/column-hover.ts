import { hoverTooltip } from "@codemirror/view";
import type { SqlSchema } from "@quarry/sdk";
import { columnDoc, tableOf } from "./query-table.ts";

/** Creates a tooltip that describes the column, function or table under the pointer. */
export function columnHover(schema: SqlSchema) {
  return hoverTooltip((view, pos) => {
    const word = view.state.wordAt(pos);
    if (word === null) return null;
    const doc = docOf(schema, view.state.sliceDoc(word.from, word.to), view.state.doc.toString());
    if (doc === undefined) return null;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom: tooltip(doc) }) };
  });
}

function docOf(schema: SqlSchema, word: string, query: string): string | undefined {
  const name = word.toLowerCase();
  const hasName = (each: { name: string }) => each.name.toLowerCase() === name;
  const column = tableOf(schema, query)?.columns.find(hasName);
  if (column !== undefined) return `${column.name} – ${columnDoc(column)}`;
  const found = schema.functions.find(
    (each) => hasName(each) || each.synonyms.some((synonym) => synonym.toLowerCase() === name),
  );
  if (found !== undefined) return `${found.signature} – ${found.doc}`;
  return schema.tables.find(hasName)?.doc;
}

function tooltip(text: string): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-doc";
  dom.textContent = text;
  return dom;
}
