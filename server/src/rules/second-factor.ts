// The place to which the secret of a second factor is bound.

/** A sealed secret that was copied to another row cannot be opened there. */
export function secretPlace(userId: number): string {
  return `second_factors|secret|${userId}`
}
