type Choices = Readonly<Record<string, unknown>>;

/** What of the choices is not the usual one: so much of them stands in a page's address. */
export function withoutUsual<Of extends object>(choices: Of, usual: Of): Partial<Of> {
  const isChosen = ([name, value]: [string, unknown]) => (usual as Choices)[name] !== value;
  return Object.fromEntries(Object.entries(choices).filter(isChosen)) as Partial<Of>;
}

/** What is given in an address, where it is one of the values. */
export function oneOf<Value>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given);
}
