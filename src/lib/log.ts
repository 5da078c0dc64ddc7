import { Writable } from "node:stream";
import { type DestinationStream, type Logger, pino } from "pino";
import pretty from "pino-pretty";

export type { Logger } from "pino";

/**
 * Creates a logger that writes to standard error: readable lines on a terminal, otherwise one JSON object per
 * line.
 */
export function createLogger(level: string, stream: NodeJS.WriteStream = process.stderr): Logger {
  const destination: DestinationStream = stream.isTTY
    ? pretty({
        // Writes to the stream, not to its file descriptor, because the live status line on a terminal
        // intercepts what is written to the stream.
        destination: new Writable({
          write(chunk, _encoding, done) {
            stream.write(chunk);
            done();
          },
        }),
        colorize: stream.hasColors(),
        ignore: "pid,hostname",
        translateTime: "HH:MM:ss",
      })
    : stream;
  return pino({ level, base: null }, destination);
}
