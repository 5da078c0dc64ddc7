import { Writable } from "node:stream";
import { type DestinationStream, type Logger, pino } from "pino";
import pretty from "pino-pretty";

export type { Logger } from "pino";

/** Logs to standard error: readable lines on a terminal, one JSON object a line elsewhere. */
export function createLogger(level: string, stream: NodeJS.WriteStream = process.stderr): Logger {
  const destination: DestinationStream = stream.isTTY
    ? pretty({
        // By the stream and not by its file descriptor: a line that changes in place makes room for what is written.
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
