// Lists given to statements that run very often.

/**
 * SQL of a list parameter such as `$1`, whose length the planner does not look at. A list that it
 * sees makes each plan look better than the one that fits any list, so that PostgreSQL plans such a
 * statement anew each time: for one opening that took longer than everything it read.
 */
export function anyList(parameter: string, type: 'int' | 'text'): string {
  return `(SELECT ${parameter}::${type}[])::${type}[]`
}
