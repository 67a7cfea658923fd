/** When the pictures are taken, in milliseconds. */
export const startMillis: number
/** The `Date` of a program, this much later, in milliseconds. */
export function shiftedDate(RealDate: DateConstructor, offsetMillis: number): DateConstructor
