import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * Returns a function that validates a value against a schema, and returns the faults. The schema may refer to
 * components of an OpenAPI document.
 */
export function schemaFaults(document: object): (schema: object, value: unknown) => string[] {
  const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }));
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const local = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = compiled.get(local) ?? ajv.compile(JSON.parse(local));
    compiled.set(local, validate);
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
