/** Seconds as people say them: `42s`, `5m 10s`, `3h 07m`, `12d 4h`. */
export function ageText(seconds: number): string {
  const whole = Math.round(seconds);
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const pad = (number: number) => String(number).padStart(2, "0");
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${minutes}m ${pad(whole % 60)}s`;
  return days === 0 ? `${hours}h ${pad(minutes)}m` : `${days}d ${hours}h`;
}
