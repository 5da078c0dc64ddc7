import { readChecksums } from "./read-checksums.ts";

const [data = "", queries = "[]"] = process.argv.slice(2);
const checksums = await readChecksums(data, JSON.parse(queries));
process.stdout.write(JSON.stringify(checksums), () => process.exit(0));
