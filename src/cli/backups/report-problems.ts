/** Exit code for damaged files and for backups that cannot be read. */
export const EXIT_FAILED = 1;

/** Prints problems, such as backups that cannot be read, and lets the command exit with `EXIT_FAILED`. */
export function reportProblems(problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`quarry: ${problem}\n`);
  if (problems.length > 0) process.exitCode = EXIT_FAILED;
}
