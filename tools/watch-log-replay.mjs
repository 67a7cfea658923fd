// Replays the public log for the watcher (watch-log.mjs): what each entry may say after those
// before it, and every draw of a revealed pair again. Draws wait in a few bytes each until then.

import { createHash, createHmac } from 'node:crypto'

const rollDigits = 13
const rollRange = 2n ** 52n

const sha256Hex = (value) => createHash('sha256').update(value).digest('hex')

/** Thresholds, prizes and what is paid, from a table's text. @throws Error when it is no table */
function readTable(body) {
  const { packTypeId, consolationRedCoin, entries } = JSON.parse(body)
  const isSound =
    Array.isArray(entries) &&
    entries.every(
      ({ prizeId, winFrequency, totalPacks }, at) =>
        [prizeId, winFrequency, totalPacks].every((value) => Number.isSafeInteger(value)) &&
        winFrequency > 0 &&
        totalPacks > 0 &&
        (at === 0 || entries[at - 1].prizeId < prizeId),
    )
  if (!isSound) throw new Error('it is no odds table')
  return {
    packTypeId,
    consolation: consolationRedCoin,
    prizes: new Map(entries.map((entry) => [entry.prizeId, entry])),
    drawn: drawer(entries),
  }
}

/** Cumulative shares as fractions over one denominator, scaled when their sum is above 1. */
function drawer(entries) {
  let [sum, over] = [0n, 1n]
  const shares = entries.map(({ winFrequency, totalPacks }) => {
    const [wins, packs] = [BigInt(Math.min(winFrequency, totalPacks)), BigInt(totalPacks)]
    sum = sum * packs + wins * over
    over *= packs
    return [sum, over]
  })
  const thresholds = shares.map(([top, bottom]) => {
    const isScaled = sum > over
    return Number((rollRange * top * (isScaled ? over : 1n)) / (bottom * (isScaled ? sum : 1n)))
  })
  return (roll) => {
    const at = thresholds.findIndex((threshold) => roll < threshold)
    return at < 0 ? 0 : entries[at].prizeId
  }
}

/** The roll of one pack: the first 52 bits of the HMAC of scheme 1 or 2. */
function rollOf(key, clientSeed, nonce, tableHash, scheme) {
  const message = `${clientSeed}:${nonce}${scheme === 1 ? '' : `:${tableHash}`}`
  const digest = createHmac('sha256', key).update(message).digest('hex')
  return Number.parseInt(digest.slice(0, rollDigits), 16)
}

const heldProblemsMax = 1000
const hashPattern = /^[0-9a-f]{64}$/
const isCount = (value) => Number.isSafeInteger(value) && value >= 0
const isId = (value) => isCount(value) && value > 0

export class Replay {
  #index
  #figures
  #carried
  #part
  #problems = []
  /** Hash of a table → its number, and what it says by that number. */
  #tableNumbers = new Map()
  #tables = []
  #bodies = []
  /** Pair → commitment, scheme, next nonce, client seed's hash and draws; `true` once revealed. */
  #pairs = new Map()
  #pairByHash = new Map()
  /** Prize → units, null for unlimited; absent while nothing was told. */
  #stock = new Map()

  constructor(state = {}) {
    this.#index = state.index ?? 0
    this.#figures = state.figures ?? { openings: 0, revealed: 0, checked: 0, undecided: 0 }
    this.#carried = state.carried ?? { position: 0, hash: '0'.repeat(64) }
    this.#part = state.part
    for (const [hash, body] of state.tables ?? []) this.#addTable(hash, body)
    for (const [id, pair] of state.pairs ?? []) {
      this.#pairs.set(id, pair)
      if (pair !== true) this.#pairByHash.set(pair.hash, id)
    }
    this.#stock = new Map(state.stock ?? [])
  }

  /** All that has to be remembered. */
  state() {
    return {
      index: this.#index,
      figures: this.#figures,
      carried: this.#carried,
      part: this.#part,
      tables: [...this.#tableNumbers].map(([hash, number]) => [hash, this.#bodies[number]]),
      pairs: [...this.#pairs],
      stock: [...this.#stock],
    }
  }

  figures() {
    return { ...this.#figures, pairs: this.#pairs.size }
  }

  /** Sentences on what was wrong since this was asked last. */
  takeProblems() {
    return this.#problems.splice(0)
  }

  /** Takes the next entry. */
  take(bytes) {
    const index = this.#index
    this.#index += 1
    const text = bytes.toString('utf8')
    try {
      const entry = JSON.parse(text)
      const check = checks[entry?.type]
      if (check === undefined) throw new Wrong('it is of no known type')
      if (this.#part !== undefined && entry.type !== 'table') {
        throw new Wrong('it stands between the parts of a table')
      }
      check.call(this, entry)
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is not JSON' : error.message
      if (this.#problems.length < heldProblemsMax) {
        this.#problems.push(`Entry ${index}: ${why}. It reads ${text.slice(0, 400)}`)
      }
    }
  }

  #addTable(hash, body) {
    const table = readTable(body)
    this.#tableNumbers.set(hash, this.#tables.length)
    this.#tables.push(table)
    this.#bodies.push(body)
  }

  commitment({ pairId, serverSeedHash, scheme = 2 }) {
    demand(isId(pairId) && hashPattern.test(serverSeedHash), 'it is no commitment')
    demand(scheme === 1 || scheme === 2, 'its scheme is unknown')
    demand(!this.#pairs.has(pairId), `seed pair ${pairId} was committed to before`)
    this.#pairs.set(pairId, { hash: serverSeedHash, scheme, nonce: 0, draws: '' })
    this.#pairByHash.set(serverSeedHash, pairId)
  }

  table({ tableHash, table, part, parts, text }) {
    if (part === undefined) {
      this.#learnTable(tableHash, JSON.stringify(table))
      return
    }
    const before = this.#part ?? { hash: tableHash, count: 0, parts, text: '' }
    this.#part = undefined
    const isNext = before.hash === tableHash && before.parts === parts && part === before.count + 1
    demand(
      isNext && isId(parts) && typeof text === 'string',
      'the parts of a table are not in order',
    )
    const whole = before.text + text
    if (part === parts) this.#learnTable(tableHash, whole)
    else this.#part = { hash: tableHash, count: part, parts, text: whole }
  }

  #learnTable(tableHash, body) {
    demand(sha256Hex(body) === tableHash, 'the odds table does not have the hash it is named by')
    if (!this.#tableNumbers.has(tableHash)) this.#addTable(tableHash, body)
  }

  stock({ prizeId, delta, after }) {
    demand(isId(prizeId) && Number.isSafeInteger(delta), 'it is no change of stock')
    demand(after === null || isCount(after), 'it is no change of stock')
    const before = this.#stock.get(prizeId)
    const isFirst = before === undefined
    this.#stock.set(prizeId, after)
    // Unlimited stock counts as none: what is added to it is all there is.
    const sum = (before ?? 0) + delta
    demand(
      isFirst || sum === (after ?? 0),
      `prize ${prizeId} had ${before ?? 'no limit'}, which does not become ${after} by ${delta}`,
    )
  }

  opening(entry) {
    const { pairId, nonce, tableHash, packTypeId, clientSeedHash } = entry
    const pair = this.#pairs.get(pairId)
    demand(pair !== undefined, `seed pair ${pairId} was drawn from before it was committed to`)
    demand(pair !== true, `seed pair ${pairId} was drawn from after it was revealed`)
    const number = this.#tableNumbers.get(tableHash)
    demand(number !== undefined, 'its odds table was not published before')
    const isNext = nonce === pair.nonce
    const expected = pair.nonce
    pair.nonce = nonce + 1
    const isSameSeed = pair.seed === undefined || pair.seed === clientSeedHash
    pair.seed = clientSeedHash
    this.#figures.openings += 1
    const table = this.#tables[number]
    const { prizeId, soldOutPrizeId } = entry
    pair.draws += `${number}.${prizeId ?? soldOutPrizeId ?? 0} `
    demand(
      isNext,
      `the pack of seed pair ${pairId} is number ${nonce} where ${expected} comes next`,
    )
    demand(isSameSeed, `seed pair ${pairId} was drawn from with two client seeds`)
    demand(hashPattern.test(clientSeedHash), 'the hash of the client seed is none')
    demand(table.packTypeId === packTypeId, 'its odds table is one of another pack type')
    this.#checkPay(entry, table)
    this.#checkStock(entry, table)
  }

  #checkPay({ prizeId, soldOutPrizeId, redCoinEarned }, table) {
    demand(prizeId === null || soldOutPrizeId === null, 'it both won and found a prize sold out')
    for (const id of [prizeId, soldOutPrizeId]) {
      demand(id === null || table.prizes.has(id), `prize ${id} is not in its odds table`)
    }
    const paid = prizeId === null ? table.consolation : table.prizes.get(prizeId).redCoinAmount
    demand(
      paid === undefined || paid === redCoinEarned,
      `it paid ${redCoinEarned} RedCoin where its odds table says ${paid}`,
    )
  }

  /** Tables of the first scheme do not say what is limited; there the published stock does. */
  #checkStock({ prizeId, soldOutPrizeId, stockAfter }, table) {
    const id = prizeId ?? soldOutPrizeId
    if (id === null) {
      demand(stockAfter === null, 'it tells a stock although no prize was drawn')
      return
    }
    const left = this.#stock.get(id)
    const { limited } = table.prizes.get(id)
    const isLimited = limited ?? typeof left === 'number'
    if (!isLimited) {
      demand(soldOutPrizeId === null || limited === undefined, `prize ${id} has no end to sell out`)
      return
    }
    demand(
      left !== undefined || limited === undefined,
      `the stock of prize ${id} was not published`,
    )
    if (typeof left !== 'number') return
    if (soldOutPrizeId !== null) {
      demand(left === 0, `prize ${id} was called sold out while ${left} were left`)
    } else {
      demand(left > 0, `prize ${id} was won more often than its published stock`)
      this.#stock.set(id, left - 1)
    }
    const now = this.#stock.get(id)
    const isTold = stockAfter === now || (stockAfter === null && limited === undefined)
    demand(isTold, `it tells that ${stockAfter} are left of prize ${id}, where ${now} are`)
  }

  reveal({ pairId, serverSeed, clientSeed }) {
    const pair = this.#pairs.get(pairId)
    demand(pair !== undefined, `seed pair ${pairId} is revealed but was never committed to`)
    demand(pair !== true, `seed pair ${pairId} is revealed twice`)
    this.#pairs.set(pairId, true)
    this.#pairByHash.delete(pair.hash)
    this.#figures.revealed += 1
    demand(hashPattern.test(serverSeed), 'the server seed is none')
    const key = Buffer.from(serverSeed, 'hex')
    demand(
      sha256Hex(key) === pair.hash,
      `SEED EXCHANGED: seed pair ${pairId} reveals another seed than it was committed to`,
    )
    const isSameSeed = pair.seed === undefined || sha256Hex(clientSeed) === pair.seed
    demand(isSameSeed, `seed pair ${pairId} reveals another client seed than it was drawn with`)
    const draws = [...carriedDraws(pair), ...loggedDraws(pair)]
    for (const { nonce, number, landed, isCarried } of draws) {
      const [hash, table] = [this.#hashes()[number], this.#tables[number]]
      const drawn = table.drawn(rollOf(key, clientSeed, nonce, hash, pair.scheme))
      if (isCarried && landed === 0 && drawn !== 0) this.#figures.undecided += 1
      else if (drawn !== landed) {
        throw new Wrong(
          `WRONG DRAW: pack ${nonce} of seed pair ${pairId} gave ${prizeText(landed)} where its ` +
            `seeds and its odds table give ${prizeText(drawn)}`,
        )
      }
      this.#figures.checked += 1
    }
    demand(hasNoGaps(draws), `packs of seed pair ${pairId} are missing`)
  }

  #knownHashes = []
  #hashes() {
    if (this.#knownHashes.length < this.#tables.length) {
      this.#knownHashes = [...this.#tableNumbers.keys()]
    }
    return this.#knownHashes
  }

  /** Entries of the first log, a chain of hashes; they name a pair by its commitment. */
  carried({ position, body, hash }) {
    const last = this.#carried
    this.#carried = { position, hash }
    demand(sha256Hex(String(body)) === hash, 'the hash of a carried entry is not that of its text')
    const told = JSON.parse(body)
    demand(
      position === last.position + 1 &&
        told.position === position &&
        told.previousHash === last.hash,
      'a carried entry does not follow from the one before',
    )
    const pair = this.#pairs.get(this.#pairByHash.get(told.serverSeedHash))
    demand(pair !== undefined, 'its seed pair was not committed to before')
    const number = this.#tableNumbers.get(told.tableHash)
    demand(number !== undefined, 'its odds table was not published before')
    const { firstNonce, quantity, prizeIds } = told
    demand(isCount(firstNonce) && prizeIds?.length === quantity, 'it does not tell all its packs')
    pair.carried ??= []
    pair.carried.push([firstNonce, number, prizeIds.map((id) => id ?? 0).join(' ')])
    pair.nonce += quantity
    this.#figures.openings += quantity
  }
}

const checks = Object.fromEntries(
  ['commitment', 'table', 'stock', 'opening', 'reveal', 'carried'].map((type) => [
    type,
    Replay.prototype[type],
  ]),
)

/** What an entry says cannot be so. */
class Wrong extends Error {}

function demand(condition, why) {
  if (!condition) throw new Wrong(why)
}

const prizeText = (id) => (id === 0 ? 'no prize' : `prize ${id}`)

/** Draws of the first log, in the order of their nonces. */
function carriedDraws({ carried = [] }) {
  return [...carried]
    .sort(([left], [right]) => left - right)
    .flatMap(([first, number, landed]) =>
      landed.split(' ').map((id, at) => ({
        nonce: first + at,
        number,
        landed: Number(id),
        isCarried: true,
      })),
    )
}

function loggedDraws({ draws, nonce }) {
  const words = draws.split(' ').filter((word) => word !== '')
  return words.map((word, at) => {
    const [number, landed] = word.split('.').map(Number)
    return { nonce: nonce - words.length + at, number, landed, isCarried: false }
  })
}

function hasNoGaps(draws) {
  return draws.every(({ nonce }, at) => nonce === at)
}
