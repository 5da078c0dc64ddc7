import type { Delivery } from "../rules/next-progress.ts";

/** Returns the bodies of a delivery, each of at most `maxBytes`; a body with a single value may be larger. */
export function bodiesOf(webhook: string, delivery: Delivery, maxBytes: number): string[] {
  const parts = partsOf(delivery, maxBytes - Buffer.byteLength(bodyOf(webhook, delivery, [0, 0], "")));
  return parts.map((values, i) => bodyOf(webhook, delivery, [i + 1, parts.length], dataText(values)));
}

function bodyOf(
  webhook: string,
  { event, id, fields }: Delivery,
  of: [number, number],
  data: string,
): string {
  const [part, parts] = of;
  const head = JSON.stringify({ event, id, webhook, ...fields, part, parts });
  return `${head.slice(0, -1)},"data":{${data}}}`;
}

/** A value of a delivery and the id of its rule, both as JSON. */
interface Value {
  rule: string;
  json: string;
}

/** Maximum number of bytes around a value: commas, and the brackets and colon of its rule. */
const PUNCTUATION = 6;

function partsOf({ data }: Delivery, maxBytes: number): Value[][] {
  const parts: Value[][] = [[]];
  let bytes = 0;
  for (const value of valuesOf(data)) {
    const size = Buffer.byteLength(value.json) + Buffer.byteLength(value.rule) + PUNCTUATION;
    if (bytes > 0 && bytes + size > maxBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(value);
    bytes += size;
  }
  return parts;
}

function valuesOf(data: Delivery["data"]): Value[] {
  return Object.entries(data).flatMap(([rule, values]) =>
    values.map((value) => ({ rule: JSON.stringify(rule), json: JSON.stringify(value) })),
  );
}

function dataText(values: readonly Value[]): string {
  const byRule = new Map<string, string[]>();
  for (const { rule, json } of values) {
    const own = byRule.get(rule);
    if (own === undefined) byRule.set(rule, [json]);
    else own.push(json);
  }
  return Array.from(byRule, ([rule, own]) => `${rule}:[${own.join(",")}]`).join(",");
}
