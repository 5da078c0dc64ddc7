import { type DestinationStream, type Logger, pino } from "pino";
import pretty from "pino-pretty";

export type { Logger } from "pino";

/** Logs to standard error: readable lines on a terminal, one JSON object a line elsewhere. */
export function createLogger(
  level: string,
  stream: NodeJS.WriteStream & { fd: number } = process.stderr,
): Logger {
  const destination: DestinationStream = stream.isTTY
    ? pretty({ destination: stream.fd, sync: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" })
    : stream;
  return pino({ level, base: null }, destination);
}
