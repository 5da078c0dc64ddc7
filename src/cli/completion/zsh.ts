import type { KnownCommand, KnownOption, Value } from "./words.ts";

/** Returns a completion script for zsh, which can be a function file in $fpath or be sourced. */
export function zshScript(commands: readonly KnownCommand[]): string {
  return `#compdef quarry
# Completion of quarry for zsh: quarry completion zsh > a folder of $fpath, under the name _quarry
_quarry() {
  local -a commands
  commands=(
${commands.map(({ name, purpose }) => `    ${quoted(`${name}:${purpose}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
if [[ $funcstack[1] == _quarry ]]; then _quarry "$@"; else compdef _quarry quarry; fi
`;
}

function commandCase({ name, options, words }: KnownCommand): string {
  const argument = words.length === 0 ? [] : [quoted(`1:value:(${words.join(" ")})`)];
  const specs = [...options.flatMap(optionSpecs), ...argument].map((spec) => ` \\\n        ${spec}`).join("");
  return `    ${name})\n      _arguments${specs} ;;`;
}

function optionSpecs({ flags, purpose, value }: KnownOption): string[] {
  const doc = purpose.replace(/[[\]:]/g, " ");
  const mark = value.kind === "none" ? "" : "=";
  return flags.map((flag) => quoted(`${flag}${flag.startsWith("--") ? mark : ""}[${doc}]${actionOf(value)}`));
}

function actionOf(value: Value): string {
  if (value.kind === "none") return "";
  if (value.kind === "words") return `:value:(${value.words.join(" ")})`;
  if (value.kind === "directory") return ":directory:_files -/";
  return value.kind === "file" ? ":file:_files" : ":value: ";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
