import { writeFileSync } from "node:fs";
import { compileContracts } from "./compile.ts";

// Run after changing a contract: npx tsx devnet/contracts/write-artifacts.ts
const file = new URL("./artifacts.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(compileContracts(), null, 2)}\n`);
