import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../support/processes/processes.ts";

export const DEPLOY = join(ROOT, "deploy");

export const readText = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Reads a YAML or JSON file of deploy/. JSON is valid YAML. */
export function readDeployed<T>(path: string): T {
  return parse(readText(join("deploy", path))) as T;
}

/** Returns the paths of all files in deploy/, relative to it. */
export function deployedFiles(): string[] {
  return readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(DEPLOY.length + 1));
}

/** Returns the instructions of the Dockerfile, such as `["USER", "10001:10001"]`. */
export function dockerInstructions(): [name: string, value: string][] {
  const text = readText("deploy/Dockerfile").replace(/^#.*\n/gm, "");
  return [...text.replaceAll(/\\\n\s*/g, "").matchAll(/^([A-Z]+) (.*)$/gm)].map(
    ([, name = "", value = ""]) => [name, value],
  );
}

/** Returns the instructions of the image itself, without the stages that build it. */
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

/** Converts an amount of memory, such as `8g` or `8Gi`, to bytes. */
export function bytesOf(quantity: string): number {
  const [, amount, unit = ""] = /^(\d+)([gm])i?$/i.exec(quantity) ?? [];
  return Number(amount) * (unit.toLowerCase() === "g" ? 2 ** 30 : 2 ** 20);
}

/** Returns the anchors of a page's headings: `## A full disk` has the anchor `a-full-disk`. */
export function headingsOf(page: string): string[] {
  return [...readText(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
