/** Keeps choices in a page's URL, which names only those that differ from the defaults. */
export function urlChoices<Choices extends object>(defaults: Choices) {
  return {
    /** The search parameters for choices. */
    searchOf(choices: Choices): Partial<Choices> {
      const isChanged = ([name, value]: [string, unknown]) => value !== defaults[name as keyof Choices];
      return Object.fromEntries(Object.entries(choices).filter(isChanged)) as Partial<Choices>;
    },
    /** All choices, defaults included. */
    choicesOf: (search: Partial<Choices>): Choices => ({ ...defaults, ...search }),
  };
}

/** A parameter of the URL if it is one of the values, else undefined. */
export function oneOf<Value>(values: readonly Value[], parameter: unknown): Value | undefined {
  return values.find((value) => value === parameter);
}
