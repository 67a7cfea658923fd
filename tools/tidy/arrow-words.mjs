// Helpers that all arrows use.

/** Files that check the product and are not part of it. */
export const tests = '\\.(test|fixture)\\.tsx?$|^server/test/|^web/test/|^e2e/|\\.config\\.ts$'

/** Only imports that exist when the program runs. */
export const value = { dependencyTypesNot: ['type-only'] }

/** A rule that forbids what it describes; `comment` says why in one sentence. */
export function never(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to }
}
