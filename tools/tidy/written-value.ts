// Finds SQL that writes RedCoin, packs or stock. One feature may hold such SQL: the ledger.

/** History and holdings belong to the ledger as whole tables. */
const tables = ['red_coin_transactions', 'pack_transactions', 'stock_events', 'user_packs']
/** Of these tables only what counts value belongs to it. */
const columns = {
  users: ['red_coin_balance', 'total_red_coin_won'],
  prizes: ['inventory_quantity'],
  store_pack_listings: ['quantity_available'],
} as const

const ofTables = new RegExp(
  `\\b(INSERT\\s+INTO|UPDATE(\\s+ONLY)?|DELETE\\s+FROM|TRUNCATE|MERGE\\s+INTO|COPY)\\s+"?(${tables.join('|')})\\b`,
  'gi',
)
const ofColumns = Object.entries(columns).map(([table, names]) => {
  const name = `(${names.join('|')})`
  return new RegExp(
    `\\bINSERT\\s+INTO\\s+"?${table}"?(\\s+AS\\s+\\w+)?\\s*\\([^)]*\\b${name}\\b` +
      // Up to the end of the assignments; a condition may read what it likes.
      `|\\bUPDATE\\s+(ONLY\\s+)?"?${table}"?(\\s+(AS\\s+)?\\w+)?\\s+SET\\b` +
      `(?:(?!\\b(FROM|WHERE|RETURNING|UPDATE|INSERT)\\b)[^\`;])*?(?<!\\.)\\b${name}\\s*=`,
    'gi',
  )
})

/** Each statement in a text that writes value, with its line. */
export function writtenValue(text: string): string[] {
  return [ofTables, ...ofColumns].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => {
      const line = text.slice(0, index).split('\n').length
      return `line ${line}: ${found.replace(/\s+/g, ' ').slice(0, 80)}`
    }),
  )
}
