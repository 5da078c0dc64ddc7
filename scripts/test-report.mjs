/** Tells what a run of the tests came to: node scripts/test-report.mjs REPORT (of vitest's json reporter). */
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const minutes = (seconds) => `${(seconds / 60).toFixed(1)} min`;
const tests = report.testResults.flatMap((file) => file.assertionResults);
const ends = report.testResults.map((file) => file.endTime);

// A test that passed although it has a failure to tell of has failed once, and was tried again.
for (const test of tests.filter(
  ({ status, failureMessages }) => status === "passed" && failureMessages.length > 0,
)) {
  console.log(`passed at the second try only: ${test.fullName}\n  ${test.failureMessages[0].split("\n")[0]}`);
}
const took = (Math.max(...ends) - report.startTime) / 1000;
console.log(
  `${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped, in ${minutes(took)}`,
);
