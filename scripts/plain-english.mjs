/**
 * Checks names, comments, texts and docs against plain-english.json, which lists words and patterns to avoid
 * and what to write instead. Also checks that prose in the docs has at most 100 characters per line.
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
/**
 * Files to skip. They are generated or contain other people's text: docs/interface.md quotes the contract.
 */
const LEFT_OUT = /plain-english|api-types\.ts$|artifacts\.json$|^test\/data\/|^docs\/interface\.md$/;

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

/** Yields the texts of a source file: its names and its prose (comments, string literals, JSX text). */
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

/**
 * Returns true if an identifier declares a name. Uses of a name need no check, and names from other libraries
 * are not ours.
 */
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

/** Yields the prose of a page without its code. */
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

/** Yields the problems of one text of a file. */
function* faultsIn(file, { names, text }) {
  for (const { pattern, write, where } of names ? WORDS : [...WORDS, ...SHAPES]) {
    if (where === "names" && !names) continue;
    for (const [found] of text.matchAll(pattern)) {
      if (!ALLOWED.has(`${file}\0${found.toLowerCase()}`)) yield `"${found}": write ${write}`;
    }
  }
}

function* faultsOf(file) {
  const content = readFileSync(join(ROOT, file), "utf8");
  const isPage = file.endsWith(".md");
  for (const part of isPage ? textsOfPage(content) : textsOfSource(file, content)) {
    for (const fault of faultsIn(file, part)) yield `${file}:${part.line} ${fault}`;
    if (isPage && isTooLong(part.page)) {
      yield `${file}:${part.line} ${part.page.length} characters: at most ${LINE_LENGTH}`;
    }
  }
}

const given = process.argv.slice(2);
const paths = given.length > 0 ? given : PATHS;
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
