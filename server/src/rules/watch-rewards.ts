// What completing a stream pays.

/** One reward of a stream as staff entered it. */
export interface RewardRow {
  readonly packTypeId: number | null
  readonly packTypeName: string | null
  readonly packQuantity: number
  readonly redCoinAmount: number
}

/** The two places in which a stream keeps its rewards. */
export interface StreamRewards {
  /** RedCoin of the stream itself. */
  readonly redCoinAmount: number
  /** Packs of the stream itself; they count only while there are no rows. */
  readonly packs: Omit<RewardRow, 'redCoinAmount'>
  readonly rows: readonly RewardRow[]
}

/** What one completion pays, added up. */
export interface WatchPayment {
  /** Everything that is paid, thing by thing. */
  readonly given: readonly RewardRow[]
  readonly redCoinTotal: number
  /** Packs by pack type id, ascending: the order in which holdings are locked. */
  readonly packs: ReadonlyMap<number, number>
}

/**
 * The rewards that a stream shows and pays besides its own RedCoin: its rows, or its own packs as
 * one reward when it has none. A row without a pack type holds no packs, whatever its quantity
 * says.
 */
export function effectiveRewards<Row extends RewardRow>(
  rewards: StreamRewards & { readonly rows: readonly Row[] },
): (Row | RewardRow)[] {
  if (rewards.rows.length > 0) {
    return rewards.rows.map((row) => (row.packTypeId === null ? { ...row, packQuantity: 0 } : row))
  }
  const own = { ...rewards.packs, redCoinAmount: 0 }
  return own.packTypeId === null || own.packQuantity < 1 ? [] : [own]
}

/** Adds up what a completion pays: the stream's RedCoin once, and every effective reward once. */
export function paymentFor(rewards: StreamRewards): WatchPayment {
  const ownCoins: RewardRow = {
    packTypeId: null,
    packTypeName: null,
    packQuantity: 0,
    redCoinAmount: rewards.redCoinAmount,
  }
  const given = [ownCoins, ...effectiveRewards(rewards)].filter(
    ({ packQuantity, redCoinAmount }) => packQuantity > 0 || redCoinAmount > 0,
  )
  const packs = new Map<number, number>()
  for (const { packTypeId, packQuantity } of given) {
    if (packTypeId === null || packQuantity < 1) continue
    packs.set(packTypeId, (packs.get(packTypeId) ?? 0) + packQuantity)
  }
  return {
    given,
    redCoinTotal: given.reduce((total, { redCoinAmount }) => total + redCoinAmount, 0),
    packs: new Map([...packs].sort(([a], [b]) => a - b)),
  }
}
