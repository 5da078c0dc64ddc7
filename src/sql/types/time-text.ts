const DATE = /^(\d{4})-(\d\d)-(\d\d)/;
const CLOCK = /^[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?/i;
const ZONE = /^(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/i;

/**
 * Converts ISO 8601 text to unix seconds: a date, or a date and a time with optional seconds, fraction and
 * zone (`Z`, `+02:00`; UTC if there is none). Returns null for any other text.
 */
export function parseIsoTime(text: string): number | null {
  const date = DATE.exec(text);
  if (date === null) return null;
  const [, year, month, day] = date.map(Number);
  const midnight = Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0) / 1000;
  if (new Date(midnight * 1000).toISOString().slice(0, 10) !== date[0]) return null;
  const rest = text.slice(date[0].length);
  if (rest === "") return midnight;
  const clock = CLOCK.exec(rest);
  if (clock === null) return null;
  const seconds = clockSeconds(clock);
  const offset = zoneSeconds(rest.slice(clock[0].length));
  return seconds === null || offset === null ? null : midnight + seconds - offset;
}

function clockSeconds([, hour = "0", minute = "0", second = "0", fraction = "0"]: string[]): number | null {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second) + Number(fraction);
}

function zoneSeconds(text: string): number | null {
  if (text === "") return 0;
  const zone = ZONE.exec(text);
  if (zone === null) return null;
  const [, sign, hours = "0", minutes = "0"] = zone;
  if (Number(hours) > 18 || Number(minutes) > 59) return null;
  return (Number(hours) * 3600 + Number(minutes) * 60) * (sign === "-" ? -1 : 1);
}
