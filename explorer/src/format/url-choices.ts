type Choices = Readonly<Record<string, unknown>>;

/** How choices stand in a page's address, where only what is not the usual one is written. */
export function urlChoices<Of extends object>(usual: Of) {
  return {
    /** What stands in the address for choices. */
    searchOf(choices: Of): Partial<Of> {
      const isChosen = ([name, value]: [string, unknown]) => (usual as Choices)[name] !== value;
      return Object.fromEntries(Object.entries(choices).filter(isChosen)) as Partial<Of>;
    },
    /** All choices, the usual ones where none was made. */
    choicesOf: (search: Partial<Of>): Of => ({ ...usual, ...search }),
  };
}

/** What is given in an address, where it is one of the values. */
export function oneOf<Value>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given);
}
