import { writeFileSync } from "node:fs";
import { generateTypes } from "./generate-types.ts";

// Run after a change of an endpoint: npm run generate -w sdk
writeFileSync(new URL("src/api-types.ts", import.meta.url), await generateTypes());
