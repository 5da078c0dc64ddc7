import type { Sql } from "../../../src/engine-sql/sql-text.ts";
import { openDataDirectory } from "../../../src/storage/directory/data-directory.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";

const [data = "", queries = "[]"] = process.argv.slice(2);
const directory = await openDataDirectory(data);
const engine = await openEmbeddedEngine({ path: directory.enginePath });
const answers: Record<string, unknown> = {};
for (const { name, query } of JSON.parse(queries) as { name: string; query: Sql }[]) {
  answers[name] = (await engine.query(query))[0];
}
process.stdout.write(JSON.stringify(answers), () => {
  void engine
    .close()
    .then(() => directory.release())
    .then(() => process.exit(0));
});
