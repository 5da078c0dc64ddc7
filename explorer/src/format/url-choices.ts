/**
 * Returns functions that convert choices to the search parameters of a page's URL and back. The URL contains
 * only the choices that differ from the defaults.
 */
export function urlChoices<Choices extends object>(defaults: Choices) {
  return {
    /** Returns the search parameters for choices. */
    searchOf(choices: Choices): Partial<Choices> {
      const isChanged = ([name, value]: [string, unknown]) => value !== defaults[name as keyof Choices];
      return Object.fromEntries(Object.entries(choices).filter(isChanged)) as Partial<Choices>;
    },
    /** Returns all choices, including defaults. */
    choicesOf: (search: Partial<Choices>): Choices => ({ ...defaults, ...search }),
  };
}

/** Returns a URL parameter if it is one of the values, else undefined. */
export function oneOf<Value>(values: readonly Value[], parameter: unknown): Value | undefined {
  return values.find((value) => value === parameter);
}
