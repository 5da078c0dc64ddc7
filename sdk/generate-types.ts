import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { ENDPOINTS } from "../src/api/endpoints/endpoints.ts";
import { openApiDocument } from "../src/api/openapi/openapi.ts";

const HEADING =
  "// Generated from the service's OpenAPI document by `npm run generate -w sdk`. Do not edit.\n\n";

/** The TypeScript of `src/api-types.ts`, from the endpoints as they are declared now. */
export async function generateTypes(): Promise<string> {
  const document: unknown = JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS)));
  // A parameter with a default is optional.
  const nodes = await openapiTS(document as OpenAPI3, { defaultNonNullable: false });
  return HEADING + astToString(nodes);
}
