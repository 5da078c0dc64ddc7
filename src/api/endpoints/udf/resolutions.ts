/**
 * The multipliers of each unit. Charts request bars of these lengths and do not build them from smaller bars.
 */
export const MULTIPLIERS = {
  seconds: ["1", "5", "15", "30"],
  minutes: ["1", "3", "5", "15", "30", "60", "120", "240", "360", "720"],
  days: ["1"],
  weeks: ["1"],
  months: ["1"],
} as const;

/** The resolutions that charts offer. */
export const RESOLUTIONS: readonly string[] = [
  ...MULTIPLIERS.seconds.map((count) => `${count}S`),
  ...MULTIPLIERS.minutes,
  ...["1D", "1W", "1M"],
];
