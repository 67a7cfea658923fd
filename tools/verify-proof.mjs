// Verifies a downloaded proof file: `node tools/verify-proof.mjs FILE`. It needs nothing but Node,
// asks no network, and shares no code with the product, so that it can disagree with it.

import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const hash = /^[0-9a-f]{64}$/
/** Printable ASCII without the colon that parts the seed from the nonce. */
const clientSeed = /^[\x20-\x39\x3b-\x7e]{1,64}$/
const rollDigits = 13
const rollRange = 2n ** 52n

const isCount = (value) => Number.isSafeInteger(value) && value >= 0
const isPrizeId = (value) => Number.isSafeInteger(value) && value >= 1

/** A check that did not hold; the message says what was found. */
class Failed extends Error {}

function check(condition, why) {
  if (!condition) throw new Failed(why)
}

function sha256(value) {
  return createHash('sha256').update(value).digest('hex')
}

function readProof(file) {
  let proof
  try {
    proof = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Failed(error instanceof SyntaxError ? 'The file is not JSON' : error.message)
  }
  const { version, opening, table } = proof ?? {}
  check(version === 1, `The version is ${JSON.stringify(version)}, and only 1 is known here`)
  check(typeof opening === 'object' && opening !== null, 'There is no opening in it')
  check(Array.isArray(table?.entries), 'There is no odds table in it')
  checkOpening(opening)
  for (const entry of table.entries) checkEntry(entry)
  return { opening, table }
}

function checkOpening(opening) {
  check(hash.test(opening.tableHash), 'The table hash is none')
  check(hash.test(opening.serverSeedHash), 'The commitment is no hash')
  check(typeof opening.clientSeed === 'string', 'The client seed is missing')
  check(clientSeed.test(opening.clientSeed), 'The client seed has characters it cannot have')
  check(isCount(opening.nonce), 'The nonce is no whole number')
  check(isCount(opening.redCoinEarned), 'The RedCoin earned is no whole number')
  check(opening.prizeId === null || isPrizeId(opening.prizeId), 'The prize is no number')
  check(typeof opening.soldOut === 'boolean', 'It does not say whether a prize was sold out')
}

function checkEntry(entry) {
  const { prizeId, name, winFrequency, totalPacks, redCoinAmount } = entry ?? {}
  const isSound =
    isPrizeId(prizeId) &&
    typeof name === 'string' &&
    isPrizeId(winFrequency) &&
    isPrizeId(totalPacks) &&
    isCount(redCoinAmount)
  check(isSound, `An entry of the odds table is not one: ${JSON.stringify(entry)}`)
}

/** The exact text the table's hash is taken over. */
function canonicalTable({ packTypeId, entries }) {
  return JSON.stringify({
    packTypeId,
    entries: entries.map(({ prizeId, name, winFrequency, totalPacks, redCoinAmount }) => ({
      prizeId,
      name,
      winFrequency,
      totalPacks,
      redCoinAmount,
    })),
  })
}

function verifyTable({ opening, table }) {
  const found = sha256(canonicalTable(table))
  check(found === opening.tableHash, `The table gives ${found}, the opening names another`)
  const isOfPack = table.packTypeId === opening.packTypeId
  check(isOfPack, `The table is of pack type ${table.packTypeId}, not ${opening.packTypeId}`)
  const ids = table.entries.map(({ prizeId }) => prizeId)
  const isOrdered = ids.every((id, index) => index === 0 || id > ids[index - 1])
  check(isOrdered, 'The prizes do not stand in the order of their ids')
  return found
}

function verifyCommitment({ opening }) {
  const { serverSeed, serverSeedHash } = opening
  check(
    serverSeed !== null,
    'The server seed is still secret: rotate your seeds, then download the proof again',
  )
  check(hash.test(serverSeed), 'The server seed is not 64 hexadecimal digits')
  const found = sha256(Buffer.from(serverSeed, 'hex'))
  check(found === serverSeedHash, `The seed gives ${found}, the commitment is another`)
  return found
}

function computeRoll({ opening }) {
  const { serverSeed, clientSeed: seed, nonce } = opening
  const digest = createHmac('sha256', Buffer.from(serverSeed, 'hex'))
    .update(`${seed}:${nonce}`)
    .digest('hex')
  return BigInt(`0x${digest.slice(0, rollDigits)}`)
}

function greatestCommonDivisor(a, b) {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

/** Prize i is drawn below threshold i, from the threshold before it on; all in whole numbers. */
function thresholds(entries) {
  let above = 0n
  let below = 1n
  const sums = entries.map(({ winFrequency, totalPacks }) => {
    const wins = BigInt(Math.min(winFrequency, totalPacks))
    above = above * BigInt(totalPacks) + wins * below
    below *= BigInt(totalPacks)
    const divisor = greatestCommonDivisor(above, below)
    above /= divisor
    below /= divisor
    return [above, below]
  })
  // Chances that add up to more than 1 are scaled so that they add up to 1.
  return sums.map(([top, bottom]) =>
    above > below ? (rollRange * top * below) / (bottom * above) : (rollRange * top) / bottom,
  )
}

function verifyOutcome({ opening, table }, roll) {
  const at = thresholds(table.entries).findIndex((threshold) => roll < threshold)
  const drawn = at === -1 ? undefined : table.entries[at]
  if (drawn === undefined) {
    check(opening.prizeId === null, `The roll draws no prize, the opening says ${opening.prizeId}`)
    check(!opening.soldOut, 'The roll draws no prize, the opening says one was sold out')
    return 'no prize'
  }
  if (opening.soldOut) {
    check(opening.prizeId === null, 'A sold-out prize cannot be won')
    return `"${drawn.name}", which was sold out`
  }
  check(
    opening.prizeId === drawn.prizeId,
    `The roll draws prize ${drawn.prizeId}, the opening says ${opening.prizeId}`,
  )
  const { redCoinAmount } = drawn
  check(
    opening.redCoinEarned === redCoinAmount,
    `The prize pays ${redCoinAmount} RedCoin, the opening says ${opening.redCoinEarned}`,
  )
  return `"${drawn.name}"`
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

function verify(file) {
  const step = (title, work, shown = (value) => value) => {
    try {
      const value = work()
      say(`ok      ${title}: ${shown(value)}`)
      return value
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      say(`FAILED  ${title}: ${error.message}`)
      throw error
    }
  }
  const proof = step(
    'The file is a proof',
    () => readProof(file),
    ({ opening }) => `opening ${opening.id} of ${opening.createdAt}`,
  )
  step('The odds table is the one in force', () => verifyTable(proof))
  step('The server seed is the one committed to', () => verifyCommitment(proof))
  const roll = step('Seeds and nonce give the roll', () => computeRoll(proof))
  step('The roll gives the outcome', () => verifyOutcome(proof, roll))
}

const [file, ...more] = process.argv.slice(2)
if (file === undefined || more.length > 0) {
  say('Usage: node tools/verify-proof.mjs FILE')
  process.exitCode = 1
} else {
  try {
    verify(file)
    say('The draw is what its seeds and its odds table say.')
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    say('The draw could not be verified.')
    process.exitCode = 1
  }
}
