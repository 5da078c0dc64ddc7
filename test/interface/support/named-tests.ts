import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "../../..");

/**
 * Returns whether a test file contains a test with this title that always runs: `it("title", ...)` that is
 * not skipped and not in a suite that could be skipped.
 */
export function hasRunningTest(file: string, title: string): boolean {
  const path = join(ROOT, file);
  if (!/\.test\.ts$/.test(file) || !existsSync(path)) return false;
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  return runsTest(source, title);
}

function runsTest(node: ts.Node, title: string): boolean {
  if (ts.isCallExpression(node)) {
    const called = node.expression.getText();
    if (MAY_BE_SKIPPED.test(called)) return false;
    const [first] = node.arguments;
    if (called === "it" && first !== undefined && ts.isStringLiteral(first) && first.text === title)
      return true;
  }
  return ts.forEachChild(node, (child) => runsTest(child, title) || undefined) ?? false;
}

const MAY_BE_SKIPPED = /^(?:it|describe)\.(?:skip|skipIf|runIf|todo)\b/;
