// Runs a TypeScript file of the repository, bundled: start-source.mjs PATH [ARGUMENT...]
import { pathToFileURL } from "node:url";
import { testProcess } from "../../../scripts/bundle.mjs";

const [source] = process.argv.splice(2, 1);
await import(pathToFileURL(await testProcess(source)).href);
