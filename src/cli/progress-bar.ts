import { Presets, SingleBar } from "cli-progress";
import type { Progress } from "../ingest/progress.ts";
import type { Logger } from "../lib/log.ts";

/** Without a terminal, progress is a log line at most this often. */
const LOG_EVERY_MS = 5_000;

export interface ProgressView {
  update(progress: Progress): void;
  stop(): void;
}

/** Shows how far a backfill is: a bar on a terminal, log lines elsewhere. */
export function progressView(logger: Logger, stream: NodeJS.WriteStream = process.stderr): ProgressView {
  return stream.isTTY ? barView(stream) : logView(logger);
}

function barView(stream: NodeJS.WriteStream): ProgressView {
  const bar = new SingleBar(
    {
      stream,
      format: "indexing {bar} {percentage}% | block {block} of {last} | {rates} | ETA {eta_text}",
      hideCursor: true,
      linewrap: false,
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    update(progress) {
      const total = progress.target - progress.from + 1;
      const done = progress.block - progress.from + 1;
      if (!started) bar.start(total, 0, words(progress));
      started = true;
      bar.setTotal(total);
      bar.update(done, words(progress));
    },
    stop() {
      if (started) bar.stop();
    },
  };
}

function logView(logger: Logger): ProgressView {
  let loggedMs = 0;
  return {
    update(progress) {
      const isDone = progress.block === progress.target;
      if (!isDone && Date.now() - loggedMs < LOG_EVERY_MS) return;
      loggedMs = Date.now();
      const { block, last, rates, eta_text } = words(progress);
      logger.info({ block, target: last, eta: eta_text }, `indexed to block ${block} (${rates})`);
    },
    stop() {},
  };
}

function words({ block, target, blocksPerSecond, logsPerSecond, etaSeconds }: Progress) {
  const rates = `${blocksPerSecond.toFixed(1)} blocks/s, ${Math.round(logsPerSecond)} logs/s`;
  return { block, last: target, rates, eta_text: durationText(etaSeconds) };
}

/** Seconds as people say them: `42s`, `5m 10s`, `3h 07m`. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return "unknown";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
  return `${Math.floor(whole / 3600)}h ${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")}m`;
}
