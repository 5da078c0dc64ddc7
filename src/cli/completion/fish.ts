import type { KnownCommand, KnownOption, Value } from "./words.ts";

/** Returns a completion script for fish. */
export function fishScript(commands: readonly KnownCommand[]): string {
  return `# Completion of quarry for fish: quarry completion fish > ~/.config/fish/completions/quarry.fish
complete -c quarry -f
${commands
  .map(({ name, purpose }) => `complete -c quarry -n __fish_use_subcommand -a ${name} -d ${quoted(purpose)}`)
  .join("\n")}
complete -c quarry -n __fish_use_subcommand -s V -l version -d 'print the version'
complete -c quarry -n __fish_use_subcommand -s h -l help -d 'print the help'
${commands.flatMap(commandLines).join("\n")}
`;
}

function commandLines({ name, options, words }: KnownCommand): string[] {
  const here = `complete -c quarry -n '__fish_seen_subcommand_from ${name}'`;
  const argument = words.length === 0 ? [] : [`${here} -a '${words.join(" ")}'`];
  return [...argument, ...options.map((option) => `${here} ${optionText(option)}`)];
}

function optionText({ flags, purpose, value }: KnownOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return `${names.join(" ")}${valueText(value)} -d ${quoted(purpose)}`;
}

function valueText(value: Value): string {
  if (value.kind === "none") return "";
  if (value.kind === "words") return ` -x -a '${value.words.join(" ")}'`;
  if (value.kind === "directory") return " -x -a '(__fish_complete_directories)'";
  return value.kind === "file" ? " -r -F" : " -x";
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
