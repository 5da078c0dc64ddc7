/** Redraws a live line while both streams also print other lines, as in a running service. */
import { LiveLine } from "../../../src/cli/terminal/live-line.ts";
import { createLogger } from "../../../src/lib/log.ts";

const live = new LiveLine(process.stderr);
const logger = createLogger("info");
for (let i = 0; i < 20; i++) {
  live.show(`figures ${i} ${"x".repeat(300)}`);
  logger.info({ i }, `logged ${i}`);
  process.stdout.write(`printed ${i}\n`);
  process.stdout.write(`half ${i}`);
  live.show(`figures again ${i}`);
  process.stdout.write(" and the other half\n");
}
live.stop();
process.stdout.write("the end\n");
