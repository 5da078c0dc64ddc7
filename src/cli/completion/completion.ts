import { Argument, Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completionOf } from "./words.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * `quarry completion <shell>`: a script without calls back into Quarry, whose start would take longer than a TAB may.
 * It is written from the program itself, so that it knows what this version knows.
 */
export function completionCommand(): Command {
  const command = new Command("completion")
    .description("print a script that completes commands, options and values")
    .addArgument(new Argument("<shell>", "shell to complete in").choices(Object.keys(SCRIPTS)));
  addSettings(command, []);
  addExamples(command, [
    ["bash: for the current shell, or as a line in ~/.bashrc", "source <(quarry completion bash)"],
    ["zsh: a file in a directory of $fpath", "quarry completion zsh > ~/.zfunc/_quarry"],
    ["fish", "quarry completion fish > ~/.config/fish/completions/quarry.fish"],
  ]);
  return command.action((shell: keyof typeof SCRIPTS) => {
    const { chains } = configOf(command, []);
    const known = completionOf(command.parent ?? command, [...chains.keys()]);
    process.stdout.write(SCRIPTS[shell](known));
  });
}
