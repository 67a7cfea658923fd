// That product and model do not say the same, and which of the two says what cannot be.

export class Disagreement extends Error {
  /** `product`: it did what the model refuses. `model`: it knows something that is not so. */
  readonly whose: 'product' | 'model'
  /** Names of those whose last steps tell how it came. */
  readonly people: readonly string[]

  constructor(whose: 'product' | 'model', what: string, people: readonly string[]) {
    super(what)
    this.name = 'Disagreement'
    this.whose = whose
    this.people = people
  }
}
