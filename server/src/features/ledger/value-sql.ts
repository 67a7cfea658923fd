// The SQL that moves value: RedCoin, packs and stock, and the history of each. Beginnings of
// statements, for the ledger and for the one statement of an opening; nothing else writes value.

// Columns in the order in which the rows after them come. The database takes each source once per
// user (per holding, per stock), so a change that is written twice fails whole.
export const addRedCoinHistory = `INSERT INTO red_coin_transactions (user_id, amount, type,
      description, prize_id, pack_opening_id, balance_after, source_type, source_id, created_at)`
export const addPackHistory = `INSERT INTO pack_transactions (user_id, pack_type_id, delta,
      quantity_after, type, description, source_type, source_id, created_at)`
export const addStockHistory = `INSERT INTO stock_events (kind, ref_id, delta, quantity_after,
      source_type, source_id, created_at)`

/** Adds the signed `amount` to balances; the database refuses to leave 0 to 2^53-1. */
export const moveBalances = (amount: string): string =>
  `UPDATE users SET red_coin_balance = users.red_coin_balance + ${amount}`

/** Adds `amount` to balances and to what has been won in all. */
export const payWinnings = (amount: string): string =>
  `${moveBalances(amount)}, total_red_coin_won = users.total_red_coin_won + ${amount}`

/** Adds the signed `delta` to holdings that are there; the database refuses less than 0. */
export const moveHoldings = (delta: string): string =>
  `UPDATE user_packs SET quantity = user_packs.quantity + ${delta}`

/** Adds packs to holdings, made where there is none; `rows` come in the order of the columns. */
export const addToHoldings = (rows: string): string =>
  `INSERT INTO user_packs (user_id, pack_type_id, quantity, updated_at)
    ${rows}
    ON CONFLICT (user_id, pack_type_id) DO UPDATE SET
      quantity = user_packs.quantity + EXCLUDED.quantity, updated_at = EXCLUDED.updated_at
    RETURNING user_id, pack_type_id, quantity`

/** Where the units of what has stock stand. */
const stocks = {
  prize: { table: 'prizes', units: 'inventory_quantity' },
  listing: { table: 'store_pack_listings', units: 'quantity_available' },
} as const
export type StockKind = keyof typeof stocks

/** Takes `units`, an expression, of limited stock; the database refuses less than 0. */
export const takeStock = (kind: StockKind, units: string): string => {
  const { table, units: column } = stocks[kind]
  return `UPDATE ${table} SET ${column} = ${table}.${column} - ${units}`
}

/** Makes stock what is asked for; NULL makes a prize unlimited. */
export const putStock = (kind: StockKind, units: string): string =>
  `UPDATE ${stocks[kind].table} SET ${stocks[kind].units} = ${units}`
