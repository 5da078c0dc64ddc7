import scalarUrl from "scalar-standalone?url";
import "./reference.css";
import { exampleValues } from "./example-values.ts";
import { type OpenApi, withExamples } from "./live-examples.ts";

interface Scalar {
  createApiReference(element: string, configuration: Record<string, unknown>): void;
}

async function showReference(): Promise<void> {
  const [document] = await Promise.all([apiDescription(), addScript(scalarUrl)]);
  const { Scalar: scalar } = window as unknown as { Scalar: Scalar };
  scalar.createApiReference("#reference", {
    content: document,
    baseServerURL: location.origin,
    theme: "none",
    layout: "modern",
    hideClientButton: true,
    hideModels: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    persistAuth: true,
    defaultOpenFirstTag: true,
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  });
}

/** Reads the service's OpenAPI document, with examples that have results on its chain. */
async function apiDescription(): Promise<OpenApi> {
  const response = await fetch("/openapi.json");
  const document = (await response.json()) as OpenApi;
  return withExamples(document, await exampleValues());
}

function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: url });
    script.onload = () => resolve();
    script.onerror = () => reject(new URIError(`cannot load ${url}`));
    document.head.append(script);
  });
}

/**
 * The page's content security policy forbids creating code from strings. Scalar tests whether that is allowed
 * and also works without it; throwing here keeps the violation out of the console.
 */
window.Function = new Proxy(Function, {
  construct() {
    throw new EvalError("creating code from strings is forbidden");
  },
});

showReference().catch((error: unknown) => {
  const container = document.getElementById("reference");
  if (container !== null) {
    container.textContent = `Cannot show the API reference (${String(error)}). See /openapi.json instead.`;
  }
});
