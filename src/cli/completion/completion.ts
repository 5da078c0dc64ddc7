import { Argument, Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completionOf } from "./words.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * `quarry completion <shell>`: prints a script that does not call Quarry, which starts too slowly for
 * completion. The script is generated from the program, so it has all commands and options of this version.
 */
export function completionCommand(): Command {
  const command = new Command("completion")
    .description("print a shell script that completes commands, options and values")
    .addArgument(new Argument("<shell>", "shell that will run the script").choices(Object.keys(SCRIPTS)));
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
