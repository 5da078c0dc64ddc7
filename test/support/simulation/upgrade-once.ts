/**
 * Opens a data directory, which upgrades its tables. Prints when the upgrade begins and when it is done.
 * Usage: upgrade-once.ts DIRECTORY
 */
import { openStore } from "../../../src/cli/open-store.ts";

const [data = ""] = process.argv.slice(2);
console.log("opening");
const { close } = await openStore({ data });
console.log("upgraded");
await close();
