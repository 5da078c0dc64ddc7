import { BIN, isRunning, type Running, startProcess } from "./processes.ts";

export interface Terminal extends Running {
  /** Returns the lines as displayed: applies carriage returns and erasures, and removes colours. */
  screen(): string[];
  /** Sends SIGINT to Quarry itself. */
  interrupt(): void;
}

/** Runs Quarry on a pseudo-terminal, using `script` from util-linux. */
export function startOnTerminal(args: string[], env: Record<string, string> = {}): Terminal {
  return startCommandOnTerminal([process.execPath, BIN, ...args], env);
}

export function startCommandOnTerminal(words: string[], env: Record<string, string> = {}): Terminal {
  const line = ["echo PID $$; stty cols 120; exec", ...words].join(" ");
  const running = startProcess("script", ["-qec", line, "/dev/null"], { TERM: "xterm-256color", ...env });
  return {
    ...running,
    screen: () => drawn(running.output()),
    interrupt() {
      const pid = /PID (\d+)/.exec(running.output())?.[1];
      if (pid !== undefined && isRunning(Number(pid))) process.kill(Number(pid), "SIGINT");
    },
  };
}

const ESCAPE = "\u001b";
const ERASE_LINE = `${ESCAPE}[2K`;
const OTHER_ESCAPES = new RegExp(`${ESCAPE}\\[[0-9;?]*[A-Za-z]`, "g");

function drawn(output: string): string[] {
  return output.split("\n").map((raw) => {
    let line = "";
    for (const part of raw.replaceAll(ERASE_LINE, "\r\0").split("\r")) {
      if (part.startsWith("\0")) line = "";
      const text = part.replaceAll("\0", "").replaceAll(OTHER_ESCAPES, "");
      line = text + line.slice(text.length);
    }
    return line;
  });
}
