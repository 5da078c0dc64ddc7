import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";
import type { SqlSchema } from "@quarry/sdk";
import { columnDoc, type SchemaColumn, type SchemaTable, tableOf } from "./query-table.ts";

/**
 * Returns the source of completions for the word at the cursor: tables after FROM, and elsewhere functions,
 * keywords and the columns of the query's table.
 */
export function completionOf(schema: SqlSchema) {
  const tables = schema.tables.map(tableCompletion);
  const words = [...schema.functions.map(functionCompletion), ...schema.keywords.map(keywordCompletion)];
  return (context: CompletionContext): CompletionResult | null => {
    if (NO_COMPLETION.has(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return null;
    const word = context.matchBefore(/["`]?[\w@]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const text = context.state.doc.toString();
    if (AFTER_FROM.test(text.slice(0, word.from)))
      return { from: word.from, options: tables, validFor: WORD };
    const columns = columnsFor(schema, tableOf(schema, text));
    return { from: word.from, options: [...columns, ...words], validFor: WORD };
  };
}

const WORD = /^["`]?[\w@]*$/;
const NO_COMPLETION = new Set(["String", "LineComment", "BlockComment"]);
const AFTER_FROM = /\b(?:from|describe|desc)\s+$/i;

/** Columns come before functions, functions before keywords. */
const BOOST = { column: 20, function: 0, keyword: -10 };

/** Returns the columns of the table, or of all tables if there is none. */
function columnsFor(schema: SqlSchema, table: SchemaTable | undefined): Completion[] {
  const columns = table?.columns ?? schema.tables.flatMap((each) => each.columns);
  const unique = new Map(columns.map((column) => [column.name, column]));
  return [...unique.values()].map(columnCompletion);
}

function tableCompletion({ name, doc }: SchemaTable): Completion {
  return { label: name, type: "class", info: doc };
}

function columnCompletion(column: SchemaColumn): Completion {
  return {
    label: column.name,
    detail: column.unit ?? column.type,
    info: columnDoc(column),
    type: "property",
    boost: BOOST.column,
  };
}

function functionCompletion({ name, signature, doc }: SqlSchema["functions"][number]): Completion {
  return {
    label: name,
    detail: signature.slice(name.length),
    info: `${signature}: ${doc}`,
    type: "function",
    boost: BOOST.function,
    apply: signature.includes("(") ? insertCall : name,
  };
}

function keywordCompletion(label: string): Completion {
  return { label, type: "keyword", boost: BOOST.keyword };
}

/** Inserts the name with parentheses and moves the cursor between them. */
function insertCall(view: EditorView, completion: Completion, from: number, to: number): void {
  const hasParenthesis = view.state.sliceDoc(to, to + 1) === "(";
  const text = hasParenthesis ? completion.label : `${completion.label}()`;
  const inside = from + completion.label.length + 1;
  view.dispatch({
    ...insertCompletionText(view.state, text, from, to),
    selection: { anchor: inside },
    annotations: pickedCompletion.of(completion),
  });
}
