import type { ApiRequest } from "./clients/requests.ts";
import type { ServingQuestion } from "./questions.ts";
import type { Side, Sides } from "./sides.ts";

/** Number of requests per question whose responses are compared. */
const COMPARED = 5;
/** Relative tolerance for sums, because the systems add in different orders. */
const PRECISION = 1e-9;

export interface Agreement {
  name: string;
  /** Average size of a response. */
  bytes: number;
  /** Result of the comparison with the engine side, which must return the same bytes. */
  engine: string;
  /**
   * Result of the comparison with PostgreSQL, which must return the same number of values and the same sum.
   */
  postgres: string;
}

/** Compares the responses of the sides. Must be called before the measurements. */
export async function agreementOf(question: ServingQuestion, sides: Sides): Promise<Agreement> {
  const { ours, "engine only": engineOnly, PostgreSQL: postgres } = sides;
  const requests = question.requests.slice(0, COMPARED);
  const answers = ours === undefined ? [] : await answersOf(ours, requests);
  const others = engineOnly === undefined ? null : await answersOf(engineOnly, requests);
  const theirs = postgres && (await answersOf({ ...postgres, prefix: "/rows" }, requests));
  const { checked, name } = question;
  return {
    name,
    bytes: Math.round(answers.join("").length / answers.length),
    engine: others === null ? "-" : verdict(differing(answers, others)),
    postgres:
      theirs === undefined || checked === undefined ? "-" : verdict(unequal(answers, theirs, checked)),
  };
}

function verdict(difference: string | null): string {
  return difference === null ? `yes, ${COMPARED}` : `NO: ${difference}`;
}

function answersOf({ port, prefix }: Side, requests: readonly ApiRequest[]): Promise<string[]> {
  const answer = async ({ path, body }: ApiRequest) => {
    const headers = { "content-type": "application/json" };
    const url = `http://127.0.0.1:${port}${prefix}${path}`;
    const response = await fetch(url, body === undefined ? {} : { method: "POST", headers, body });
    const text = await response.text();
    return response.ok ? text : `${response.status} ${text}`;
  };
  return Promise.all(requests.map(answer));
}

function differing(ours: readonly string[], others: readonly string[]): string | null {
  const index = ours.findIndex((answer, i) => answer !== others[i]);
  if (index < 0) return null;
  const [mine = "", other = ""] = [ours[index], others[index]];
  const at = [...mine].findIndex((character, i) => character !== other[i]);
  return `${mine.slice(Math.max(0, at - 40), at + 40)} / ${other.slice(Math.max(0, at - 40), at + 40)}`;
}

function unequal(ours: readonly string[], theirs: readonly string[], field: string): string | null {
  for (const [i, answer] of ours.entries()) {
    const [mine, other] = [valuesOf(answer, field), valuesOf(theirs[i] ?? "", field)];
    const [sum, otherSum] = [total(mine), total(other)];
    const isEqual = mine.length === other.length && Math.abs(sum - otherSum) <= Math.abs(sum) * PRECISION;
    if (!isEqual) return `${mine.length} and ${other.length} values of ${field}, ${sum} and ${otherSum}`;
  }
  return null;
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Returns every number except 0 in fields with this name, at any depth. */
function valuesOf(json: string, field: string): number[] {
  const values: number[] = [];
  try {
    JSON.parse(json, (name, value) => {
      if (name === field && typeof value === "number" && value !== 0) values.push(value);
      return value;
    });
  } catch {
    return [Number.NaN];
  }
  return values;
}
