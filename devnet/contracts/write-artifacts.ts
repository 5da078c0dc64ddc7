import { writeFileSync } from "node:fs";
import { compileContracts } from "./compile.ts";

// Must be run after a contract changes: npx tsx devnet/contracts/write-artifacts.ts
const file = new URL("./artifacts.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(compileContracts(), null, 2)}\n`);
