/** So many blocks a chain may be late: single ones are skipped on every chain. */
const LATE_BLOCKS = 8;
/** Networks and nodes take their time: what is less late than this is not late on the fastest chain. */
const LEAST_SECONDS = 15;
/** What is later than this is late on any chain. */
const MOST_SECONDS = 60;

/** After how many seconds a chain's newest block is late. @param blockSeconds null where its pace is not known */
export function lateAfter(blockSeconds: number | null): number {
  if (blockSeconds === null) return MOST_SECONDS;
  return Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, LATE_BLOCKS * blockSeconds));
}
