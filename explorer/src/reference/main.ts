import scalarUrl from "scalar-standalone?url";
import "./reference.css";
import { subjectsOfChain } from "./example-values.ts";
import { type OpenApi, withExamples } from "./live-examples.ts";

interface Scalar {
  createApiReference(element: string, configuration: Record<string, unknown>): void;
}

async function show(): Promise<void> {
  const [document] = await Promise.all([describedApi(), addScript(scalarUrl)]);
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

/** The service's own description, with examples that its chain has an answer to. */
async function describedApi(): Promise<OpenApi> {
  const answer = await fetch("/openapi.json");
  const document = (await answer.json()) as OpenApi;
  return withExamples(document, await subjectsOfChain());
}

function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: url });
    script.onload = () => resolve();
    script.onerror = () => reject(new URIError(`${url} cannot be loaded`));
    document.head.append(script);
  });
}

/**
 * The page's policy allows no code made from texts. Whoever tries whether it may (the reference does, before it goes on
 * without) is told so here, and the console stays quiet.
 */
window.Function = new Proxy(Function, {
  construct() {
    throw new EvalError("no code is made from texts here");
  },
});

show().catch((error: unknown) => {
  const place = document.getElementById("reference");
  if (place !== null) {
    place.textContent = `The reference cannot be shown (${String(error)}). /openapi.json holds the same.`;
  }
});
