import type { KnownCommand, KnownOption, Value } from "./words.ts";

/** Returns a completion script for bash 3.2 (macOS) and later. */
export function bashScript(commands: readonly KnownCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# Completion of quarry for bash: source <(quarry completion bash)
_quarry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" i
  # Bash treats the = in --option=value as a separate word.
  if [[ $current == "=" ]]; then current=""
  elif [[ $previous == "=" ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then command="\${COMP_WORDS[i]}"; break; fi
  done
  case "$command $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$command" in
${commands.map(({ name, options, words }) => `    ${name}) words="${[...words, ...flagsOf(options)].join(" ")}" ;;`).join("\n")}
    *) words="${names} --help --version" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _quarry quarry
`;
}

function flagsOf(options: readonly KnownOption[]): string[] {
  return options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith("--")));
}

function valueCases({ name, options }: KnownCommand): string[] {
  return options
    .filter(({ value }) => value.kind !== "none")
    .map(({ flags, value }) => {
      const patterns = flags.map((flag) => `"${name} ${flag}"`).join("|");
      return `    ${patterns}) ${replyOf(value)}return ;;`;
    });
}

function replyOf(value: Value): string {
  const reply = (action: string) => `COMPREPLY=($(compgen ${action} -- "$current")); `;
  if (value.kind === "words") return reply(`-W "${value.words.join(" ")}"`);
  if (value.kind === "directory") return `compopt -o filenames 2>/dev/null; ${reply("-d")}`;
  return value.kind === "file" ? `compopt -o filenames 2>/dev/null; ${reply("-f")}` : "";
}
