import { Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";

const SETTING_NAMES = ["url", "key", "port"] as const;

/** `quarry mcp`: offers the tools of a running service to an agent, on standard input and output. */
export function mcpCommand(): Command {
  const command = new Command("mcp").description(
    "serve a running service's tools to agents: a Model Context Protocol server on standard input and output",
  );
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["for an agent on this machine, with a service running on port 8080", "quarry mcp"],
    ["the tools of another service", "quarry mcp --url https://quarry.example --key KEY"],
  ]);
  return command.action(async () => {
    const { settings } = configOf(command, SETTING_NAMES);
    const url = (settings.url ?? `http://127.0.0.1:${settings.port}`).replace(/\/+$/, "");
    // The MCP library takes a while to load, and other commands do not need it.
    const { serveTools } = await import("./serve-tools.ts");
    await serveTools(url, settings.key);
  });
}
