// What an act changed, field by field.

export interface FieldChange {
  readonly field: string
  /** As text; undefined where there was no such field. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isChanged: boolean
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value }
  return { value }
}

/** 'watchSecondsRequired' reads 'watch seconds required', as 'watch_seconds_required' does. */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/(?<=[a-z])[A-Z]/g, (first) => ` ${first}`)
  return words
    .toLowerCase()
    .replace(/\bred ?coin/, 'RedCoin')
    .replace(/\burl\b/, 'URL')
}

/** The same as a title. */
export function titleOf(name: string): string {
  const words = inWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Every field of either side, in the order they come; those that differ first. */
export function changesOf(before: unknown, after: unknown): FieldChange[] {
  const left = fieldsOf(before)
  const right = fieldsOf(after)
  const rows = [...new Set([...Object.keys(left), ...Object.keys(right)])].map((field) => {
    const sides = { before: textOf(left[field]), after: textOf(right[field]) }
    return { field: inWords(field), ...sides, isChanged: sides.before !== sides.after }
  })
  return [...rows.filter(({ isChanged }) => isChanged), ...rows.filter((row) => !row.isChanged)]
}

/** One line about the change, for the list: up to three fields with both sides. */
export function changeLine(before: unknown, after: unknown): string {
  const changed = changesOf(before, after).filter(({ isChanged }) => isChanged)
  const parts = changed.slice(0, 3).map((change) => {
    if (change.before === undefined) return `${change.field} ${change.after}`
    return `${change.field} ${change.before} → ${change.after ?? 'nothing'}`
  })
  const more = changed.length - parts.length
  return more > 0 ? `${parts.join(', ')} and ${more} more` : parts.join(', ')
}

/** 'redcoin.bulk_distribute' reads 'RedCoin: bulk distribute'. */
export function actionText(action: string): string {
  const [noun = '', ...verbs] = action.split('.')
  const title = titleOf(noun)
  return verbs.length === 0 ? title : `${title}: ${inWords(verbs.join(' '))}`
}
