// A clock that runs from a moment of its own.

/** When the pictures are taken: an afternoon in spring. */
export const startMillis = Date.UTC(2026, 3, 18, 15, 4)

/** The `Date` of a program, this much later; self-contained, as pages get its text. */
export function shiftedDate(RealDate, offsetMillis) {
  return class extends RealDate {
    constructor(...words) {
      if (words.length === 0) super(RealDate.now() + offsetMillis)
      else super(...words)
    }

    static now() {
      return RealDate.now() + offsetMillis
    }
  }
}
