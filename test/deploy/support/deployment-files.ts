import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../support/processes/processes.ts";

export const DEPLOY = join(ROOT, "deploy");

export const readText = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Reads a file of deploy/ as YAML or JSON, which is YAML too. */
export function readDeployed<T>(path: string): T {
  return parse(readText(join("deploy", path))) as T;
}

/** Returns the paths of all files in deploy/, relative to it. */
export function deployedFiles(): string[] {
  return readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(DEPLOY.length + 1));
}

/** Instructions of the Dockerfile: `["USER", "10001:10001"]`. */
export function dockerInstructions(): [name: string, value: string][] {
  const text = readText("deploy/Dockerfile").replace(/^#.*\n/gm, "");
  return [...text.replaceAll(/\\\n\s*/g, "").matchAll(/^([A-Z]+) (.*)$/gm)].map(
    ([, name = "", value = ""]) => [name, value],
  );
}

/** The instructions of the image itself, without the stages that build it. */
export function imageInstructions(): [name: string, value: string][] {
  const all = dockerInstructions();
  return all.slice(all.findLastIndex(([name]) => name === "FROM"));
}

/** Returns the last value of an instruction of the image. */
export function imageValue(instruction: string): string {
  return imageInstructions().findLast(([name]) => name === instruction)?.[1] ?? "";
}

/** Returns the variables that the image sets. */
export function imageVariables(): Record<string, string> {
  return Object.fromEntries(
    [...imageValue("ENV").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
}

/** Memory in bytes: `8g`, `8Gi`. */
export function bytesOf(quantity: string): number {
  const [, amount, unit = ""] = /^(\d+)([gm])i?$/i.exec(quantity) ?? [];
  return Number(amount) * (unit.toLowerCase() === "g" ? 2 ** 30 : 2 ** 20);
}

/** Returns the links to headings for the headings of a page: `## A full disk` is `a-full-disk`. */
export function headingsOf(page: string): string[] {
  return [...readText(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
