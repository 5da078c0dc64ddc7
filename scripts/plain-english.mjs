/**
 * Holds names, comments, texts and docs against plain-english.json: words and shapes to avoid, each with what to
 * write instead. Also holds prose of the docs to 100 characters a line.
 *   node scripts/plain-english.mjs [path ...]
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const LINE_LENGTH = 100;
const PATHS = [
  "src",
  "explorer",
  "sdk",
  "docs",
  "devnet",
  "bench",
  "test",
  "scripts",
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
];
/** Generated text, or text by others. */
const LEFT_OUT = /plain-english|api-types\.ts$|artifacts\.json$|^test\/data\//;

const {
  words,
  shapes,
  allowed = [],
} = JSON.parse(readFileSync(join(ROOT, "scripts/plain-english.json"), "utf8"));
const compile = ({ avoid, write, in: where }) => ({
  write,
  where,
  pattern: new RegExp(`\\b(?:${avoid})\\b`, "gi"),
});
const WORDS = words.map(compile);
const SHAPES = shapes.map(compile);
const ALLOWED = new Map(allowed.map(({ file, text }) => [`${file}\0${text.toLowerCase()}`, true]));

/** Splits `camelCase`, `SNAKE_CASE` and `kebab-case` into words. */
const spoken = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_#$-]+/g, " ");

/** The texts of a source file: its names, and its prose (comments, string literals, texts of JSX). */
function* textsOfSource(file, text) {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const comments = new Map();
  const texts = [];
  const visit = (node) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ])
      comments.set(range.pos, text.slice(range.pos, range.end));
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      if (isDeclared(node))
        texts.push({ line: lineAt(node.getStart()), names: true, text: spoken(node.text) });
    } else if (isProse(node)) texts.push({ line: lineAt(node.getStart()), text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const [position, comment] of comments)
    texts.push({ line: lineAt(position), text: comment.replace(/`[^`]*`/g, "``") });
  yield* texts;
}

/** Names where they are declared: uses follow, and other libraries' names are not ours. */
function isDeclared(node) {
  const { parent } = node;
  return (
    parent !== undefined &&
    parent.name === node &&
    !ts.isPropertyAccessExpression(parent) &&
    !ts.isImportSpecifier(parent)
  );
}

function isProse(node) {
  if (ts.isJsxText(node)) return true;
  if (
    !ts.isStringLiteralLike(node) &&
    !ts.isTemplateHead(node) &&
    !ts.isTemplateMiddle(node) &&
    !ts.isTemplateTail(node)
  )
    return false;
  if (node.parent && (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)))
    return false;
  return /[a-z]+ [a-z]+/i.test(node.text);
}

/** The prose of a page, without its code. */
function* textsOfPage(text) {
  let inCode = false;
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (/^\s*```/.test(line)) inCode = !inCode;
    else if (!inCode)
      yield { line: i + 1, text: line.replace(/`[^`]*`/g, "``").replace(/\]\([^)]*\)/g, "]"), page: line };
  }
}

const isTooLong = (page) =>
  page.length > LINE_LENGTH && !page.startsWith("|") && !/^\s*(\[[^\]]*\]:|!\[|<)/.test(page);

function* faultsOf(file) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const isPage = file.endsWith(".md");
  for (const { line, names, text: part, page } of isPage ? textsOfPage(text) : textsOfSource(file, text)) {
    for (const { pattern, write, where } of names ? WORDS : [...WORDS, ...SHAPES]) {
      if (where === "names" && !names) continue;
      for (const [found] of part.matchAll(pattern)) {
        if (!ALLOWED.has(`${file}\0${found.toLowerCase()}`))
          yield `${file}:${line} "${found}": write ${write}`;
      }
    }
    if (isPage && isTooLong(page)) yield `${file}:${line} ${page.length} characters: at most ${LINE_LENGTH}`;
  }
}

const asked = process.argv.slice(2);
const paths = asked.length > 0 ? asked : PATHS;
const files = execFileSync("git", ["ls-files", "--", ...paths], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n");
const checked = files.filter(
  (file) => /\.(ts|tsx|md|mjs)$/.test(file) && !LEFT_OUT.test(file) && existsSync(join(ROOT, file)),
);
const faults = checked.flatMap((file) => [...faultsOf(file)]);
for (const fault of faults) console.error(fault);
console.log(`${faults.length} places to rewrite in ${checked.length} files`);
if (faults.length > 0) process.exitCode = 1;
