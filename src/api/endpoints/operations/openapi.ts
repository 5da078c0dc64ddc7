import { z } from "zod";
import { type Endpoint, endpoint } from "../../endpoint/endpoint.ts";
import { type OpenApiDocument, openApiDocument } from "../../openapi/openapi.ts";

const document: z.ZodType<OpenApiDocument> = z.object({
  openapi: z.literal("3.1.0"),
  info: z.record(z.string(), z.unknown()),
  servers: z.array(z.record(z.string(), z.unknown())),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  tags: z.array(z.record(z.string(), z.unknown())),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** @param endpoints all endpoints including this one; called once the list is complete */
export function openApi(endpoints: () => readonly Endpoint[]): Endpoint {
  // The printed document, which all responses share.
  let printed: Buffer | null = null;
  return endpoint({
    name: "getOpenApi",
    methods: ["GET"],
    path: "/openapi.json",
    title: "OpenAPI document",
    summary: "This description of the service, as an OpenAPI 3.1 document.",
    parameters: {},
    answer: document,
    example: { parameters: {}, answer: openApiDocument([]) },
    cost: "nothing",
    open: true,
    async handle() {
      printed ??= Buffer.from(JSON.stringify(openApiDocument(endpoints())));
      return { body: printed, asOf: null };
    },
  });
}
