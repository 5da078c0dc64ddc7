import type { Command, Option } from "commander";
import { choicesOf } from "../../config/allowed-values.ts";
import type { Setting } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";

/** The value of an option: one of a list of words, a path, any text, or none. */
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
  /** Allowed words for the command's first argument. */
  words: readonly string[];
}

/** Returns all commands and options of a program. */
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
  return { flags, purpose: firstLine(option.description), value: completedValue(option, chains) };
}

function completedValue(option: Option, chains: readonly string[]): Value {
  const setting: Setting | undefined = Object.values(SETTINGS).find(({ flag }) => flag === option.flags);
  const words =
    setting?.completes === "chain" ? chains : (option.argChoices ?? (setting && choicesOf(setting.schema)));
  if (!option.required) return { kind: "none" };
  if (words != null) return { kind: "words", words };
  if (setting?.completes === "directory") return { kind: "directory" };
  return { kind: option.flags.endsWith("<file>") ? "file" : "any" };
}

/**
 * Returns the text before the first opening bracket, colon, semicolon or line break, because shells show one
 * line.
 */
function firstLine(text: string): string {
  return (text.split(/[;:(\n]/)[0] ?? text).trim();
}
