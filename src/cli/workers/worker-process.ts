import { aborted, onAbort } from "../../lib/async/abort.ts";
import { BaseError } from "../../lib/error.ts";
import { sentError } from "../../lib/sent-error.ts";
import { type FromWorker, linkTo, type PrimaryLink } from "./messages.ts";

/** A running part of the service. */
interface RunningWorker {
  url: string;
  close(): Promise<void>;
}

/**
 * Runs a worker process: starts when the primary process sends its options, and exits gracefully when the
 * primary process requests it or the signal aborts. Node ends the process at once if the primary process is
 * gone.
 *
 * @param start starts the service; an error is sent to the primary process, which reports it
 */
export async function runWorker(
  signal: AbortSignal,
  start: (options: unknown, worker: number, link: PrimaryLink) => Promise<RunningWorker>,
): Promise<void> {
  const link: PrimaryLink = linkTo(process, "disconnect");
  const stop = new AbortController();
  onAbort(signal, () => stop.abort());
  const started = new Promise<{ options: unknown; worker: number }>((resolve) => {
    link.onMessage((message) => {
      if (message.kind === "start") resolve(message);
      if (message.kind === "stop") stop.abort();
      if (message.kind === "ping") link.send({ kind: "pong" });
    });
  });
  link.send({ kind: "loaded" });
  const { options, worker } = await started;
  const running = await start(options, worker, link).catch(sendFailure);
  if (running === null) return;
  link.send({ kind: "listening", url: running.url });
  await aborted(stop.signal);
  await running.close();
}

/** Sends the error to the primary process, which prints it. */
async function sendFailure(error: unknown): Promise<null> {
  if (!(error instanceof BaseError)) throw error;
  const message: FromWorker = { kind: "failed", error: sentError(error) };
  await new Promise<void>((sent) => void process.send?.(message, undefined, undefined, () => sent()));
  process.exitCode = 1;
  return null;
}
