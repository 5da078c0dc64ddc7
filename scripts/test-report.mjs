/**
 * Summarizes runs of the tests: node scripts/test-report.mjs REPORTS (a folder of reports from vitest's json
 * reporter). Fails if a test failed, if a test was skipped that is not in scripts/allowed-skips.json, or if a
 * test that docs/interface.md names as the proof of a rule did not pass.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const allowedSkips = JSON.parse(readFileSync(join(here, "allowed-skips.json"), "utf8"));
const names = readdirSync(process.argv[2]).filter((name) => name.endsWith(".json"));
const reports = names.map((name) => JSON.parse(readFileSync(join(process.argv[2], name), "utf8")));
const files = reports.flatMap(({ testResults }) => testResults);
const minutes = (seconds) => `${(seconds / 60).toFixed(1)} min`;
const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));

// A test that passed but has a failure message failed once, and passed when it was run again.
for (const test of tests.filter(
  ({ status, failureMessages }) => status === "passed" && failureMessages.length > 0,
)) {
  console.log(`passed at the second try only: ${test.fullName}\n  ${test.failureMessages[0].split("\n")[0]}`);
}

const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed");
const reasonFor = ({ fullName }) => allowedSkips.find(({ title }) => fullName.startsWith(title))?.why;
const unexpected = skipped.filter((test) => reasonFor(test) === undefined);
for (const test of skipped) {
  console.log(`skipped: ${test.fullName}\n  ${reasonFor(test) ?? `not allowed, in ${test.file}`}`);
}

// Some rules of the interface are proven by a unit test. The test must have passed.
const PROVEN_BY = /proven by \[([^\]]+)\]\([^)]+\): (.*?) \|$/gm;
const page = readFileSync(join(here, "../docs/interface.md"), "utf8");
const unproven = [...page.matchAll(PROVEN_BY)].filter(
  ([, file, title]) =>
    !tests.some((test) => test.file.endsWith(file) && test.title === title && test.status === "passed"),
);
for (const [, file, title] of unproven) {
  console.error(`docs/interface.md: no test of ${file} passed that is called "${title}"`);
}

const starts = reports.map(({ startTime }) => startTime);
const ends = files.map(({ endTime }) => endTime);
const failed = tests.filter(({ status }) => status === "failed");
const passed = tests.filter(({ status }) => status === "passed");
console.log(`the tests took ${minutes((Math.max(...ends) - Math.min(...starts)) / 1000)}`);
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
if (unexpected.length > 0) {
  console.error(
    `${unexpected.length} skipped tests are not in scripts/allowed-skips.json: run them, or add them with the reason`,
  );
}
for (const test of failed) {
  console.error(`failed: ${test.fullName}\n  ${test.failureMessages[0]?.split("\n")[0]}\n  in ${test.file}`);
}
// A file can fail without a failed test, for example if it cannot be loaded or if a hook fails.
const failedFiles = files.filter(
  ({ status, name }) => status === "failed" && !failed.some(({ file }) => file === name),
);
for (const { name, message } of failedFiles) {
  console.error(`failed: ${name}\n  ${message.split("\n")[0]}`);
}
if ([failed, failedFiles, unexpected, unproven].some(({ length }) => length > 0)) process.exit(1);
