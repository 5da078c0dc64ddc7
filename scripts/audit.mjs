// Fails if a package that the service needs at run time has a known vulnerability of high or critical
// severity. A registry without advisories is reported, but is not a failure, because mirrors often have none.
import { spawnSync } from "node:child_process";

const SEVERE = ["high", "critical"];

const { stdout, stderr } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const report = parsed(stdout);

if (report.vulnerabilities === undefined) {
  const reason = report.message ?? stderr.trim();
  process.stdout.write(`not audited: the registry does not answer with advisories (${reason})\n`);
} else {
  const severe = Object.values(report.vulnerabilities).filter(({ severity }) => SEVERE.includes(severity));
  for (const { name, severity, nodes, via } of severe) {
    const titles = via.map((one) =>
      typeof one === "string" ? `through ${one}` : `${one.title} (${one.url})`,
    );
    process.stdout.write(`${name} (${nodes.join(", ")}): ${severity}: ${titles.join("; ")}\n`);
  }
  const { dependencies } = report.metadata;
  process.stdout.write(
    `${dependencies.prod} packages audited, ${severe.length} with severe vulnerabilities\n`,
  );
  if (severe.length > 0) process.exitCode = 1;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
