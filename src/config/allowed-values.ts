import { z } from "zod";

const MOST_SAFE = Number.MAX_SAFE_INTEGER;

interface Shape {
  type?: string;
  format?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: { minLength?: number };
}

/** Returns the allowed words of a setting that accepts only a few words, or null for any other setting. */
export function choicesOf(schema: z.ZodType): readonly string[] | null {
  return shapeOf(schema).enum ?? null;
}

/** Returns the allowed values of a setting in words, e.g. `a whole number from 0 to 65535`. */
export function allowedText(schema: z.ZodType): string {
  const { type, format, enum: choices, minimum, maximum, items } = shapeOf(schema);
  if (choices !== undefined) return `one of ${choices.join(", ")}`;
  if (type === "boolean") return "true or false";
  if (type === "array") return `one or more values${lengthText(items)}, separated by commas`;
  if (format === "uri") return "an http:// or https:// URL";
  if (type !== "integer" && type !== "number") return "a non-empty string";
  const number = type === "integer" ? "a whole number" : "a number";
  return maximum === undefined || maximum === MOST_SAFE
    ? `${number} of at least ${minimum}`
    : `${number} from ${minimum} to ${maximum}`;
}

function lengthText({ minLength = 0 }: { minLength?: number } = {}): string {
  return minLength > 1 ? ` of at least ${minLength} characters` : "";
}

function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema) as Shape;
}
