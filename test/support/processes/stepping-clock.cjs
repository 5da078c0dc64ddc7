// Loaded into a process before its own code. On SIGUSR2, the wall clock steps back by a minute.
const STEP_MS = 60_000;

const realNow = Date.now;
let offsetMs = 0;
Date.now = () => realNow() + offsetMs;
process.on("SIGUSR2", () => {
  offsetMs -= STEP_MS;
  process.stderr.write("the wall clock stepped back\n");
});
