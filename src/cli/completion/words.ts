import type { Command, Option } from "commander";
import { choicesOf } from "../../config/allowed-values.ts";
import { SETTINGS, type Setting } from "../../config/settings.ts";

/** What follows an option: one of some words, a path, something that nobody can guess, or nothing. */
export type Value =
  | { kind: "words"; words: readonly string[] }
  | { kind: "directory" | "file" | "any" | "none" };

export interface KnownOption {
  flags: readonly string[];
  purpose: string;
  value: Value;
}

export interface KnownCommand {
  name: string;
  purpose: string;
  options: readonly KnownOption[];
  /** Words that its first argument may be. */
  words: readonly string[];
}

/** All that can be completed, read from the program as it is. */
export function completionOf(program: Command, chains: readonly string[]): KnownCommand[] {
  return program.commands.map((command) => ({
    name: command.name(),
    purpose: firstLine(command.description()),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => knownOption(option, chains)),
    words: command.registeredArguments[0]?.argChoices ?? [],
  }));
}

function knownOption(option: Option, chains: readonly string[]): KnownOption {
  const flags = [option.short, option.long].filter((flag) => flag != null);
  return { flags, purpose: firstLine(option.description), value: valueBehind(option, chains) };
}

function valueBehind(option: Option, chains: readonly string[]): Value {
  const setting: Setting | undefined = Object.values(SETTINGS).find(({ flag }) => flag === option.flags);
  const words =
    setting?.completes === "chain" ? chains : (option.argChoices ?? (setting && choicesOf(setting.schema)));
  if (!option.required) return { kind: "none" };
  if (words != null) return { kind: "words", words };
  if (setting?.completes === "directory") return { kind: "directory" };
  return { kind: option.flags.endsWith("<file>") ? "file" : "any" };
}

/** Shells show one line; what stands in brackets and behind a semicolon is for the help. */
function firstLine(text: string): string {
  return (text.split(/[;:(\n]/)[0] ?? text).trim();
}
