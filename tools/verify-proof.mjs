// Verifies a downloaded proof file: `node tools/verify-proof.mjs FILE [--key KEY]`. With the key of
// the draw log it checks the signature of the log too. It needs nothing but Node, asks no network,
// and shares no code with the product, so that it can disagree with it.

import { createHash, createHmac, createPublicKey, verify as isSignedBy } from 'node:crypto'
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
  const { version, opening, table, log } = proof ?? {}
  const isKnown = version === 1 || version === 2
  check(isKnown, `The version is ${JSON.stringify(version)}, and only 1 and 2 are known here`)
  check(typeof opening === 'object' && opening !== null, 'There is no opening in it')
  check(Array.isArray(table?.entries), 'There is no odds table in it')
  // Files of the first version are all of scheme 1, and tell nothing of the log.
  const whole = version === 1 ? { ...opening, scheme: 1, soldOutPrizeId: undefined } : opening
  checkOpening(whole, version)
  const isFull = table.consolationRedCoin !== undefined
  check(isFull || whole.scheme === 1, 'The odds table does not say what is paid')
  check(!isFull || isCount(table.consolationRedCoin), 'The consolation is no whole number')
  for (const entry of table.entries) checkEntry(entry, isFull)
  const isLog = version === 1 || log === null || typeof log === 'string'
  check(isLog, 'There is neither a proof of the log in it nor a word that there is none')
  return { version, opening: whole, table, log: version === 1 ? undefined : log }
}

function checkOpening(opening, version) {
  check(hash.test(opening.tableHash), 'The table hash is none')
  check(hash.test(opening.serverSeedHash), 'The commitment is no hash')
  check(typeof opening.clientSeed === 'string', 'The client seed is missing')
  check(clientSeed.test(opening.clientSeed), 'The client seed has characters it cannot have')
  check(isCount(opening.nonce), 'The nonce is no whole number')
  check(isCount(opening.redCoinEarned), 'The RedCoin earned is no whole number')
  check(opening.prizeId === null || isPrizeId(opening.prizeId), 'The prize is no number')
  check(typeof opening.soldOut === 'boolean', 'It does not say whether a prize was sold out')
  check(opening.scheme === 1 || opening.scheme === 2, 'The scheme is not known here')
  if (version === 1) return
  const { soldOut, soldOutPrizeId } = opening
  const isNamed = soldOut ? isPrizeId(soldOutPrizeId) : soldOutPrizeId === null
  check(isNamed, 'It does not say which prize was sold out')
}

function checkEntry(entry, isFull) {
  const { prizeId, name, winFrequency, totalPacks, redCoinAmount } = entry ?? {}
  const isSound =
    isPrizeId(prizeId) &&
    typeof name === 'string' &&
    isPrizeId(winFrequency) &&
    isPrizeId(totalPacks) &&
    isCount(redCoinAmount)
  const { rewardPackTypeId, rewardPackQuantity, limited } = entry ?? {}
  const isWhole =
    (rewardPackTypeId === null || isPrizeId(rewardPackTypeId)) &&
    isCount(rewardPackQuantity) &&
    typeof limited === 'boolean'
  check(
    isSound && (!isFull || isWhole),
    `An entry of the odds table is not one: ${JSON.stringify(entry)}`,
  )
}

/** The exact text the table's hash is taken over. */
function canonicalTable({ packTypeId, consolationRedCoin, entries }) {
  const isFull = consolationRedCoin !== undefined
  return JSON.stringify({
    packTypeId,
    ...(isFull && { consolationRedCoin }),
    entries: entries.map((entry) => {
      const { prizeId, name, winFrequency, totalPacks, redCoinAmount } = entry
      const { rewardPackTypeId, rewardPackQuantity, limited } = entry
      return {
        prizeId,
        name,
        winFrequency,
        totalPacks,
        redCoinAmount,
        ...(isFull && { rewardPackTypeId, rewardPackQuantity, limited }),
      }
    }),
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
  const { serverSeed, clientSeed: seed, nonce, scheme, tableHash } = opening
  const message = scheme === 1 ? `${seed}:${nonce}` : `${seed}:${nonce}:${tableHash}`
  const key = Buffer.from(serverSeed, 'hex')
  const digest = createHmac('sha256', key).update(message).digest('hex')
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
  const { prizeId, soldOut, soldOutPrizeId, redCoinEarned } = opening
  const paid = drawn === undefined || soldOut ? table.consolationRedCoin : drawn.redCoinAmount
  if (drawn === undefined) {
    check(prizeId === null, `The roll draws no prize, the opening says ${prizeId}`)
    check(!soldOut, 'The roll draws no prize, the opening says one was sold out')
  } else if (soldOut) {
    check(prizeId === null, 'A sold-out prize cannot be won')
    const isThat = soldOutPrizeId === undefined || soldOutPrizeId === drawn.prizeId
    check(isThat, `The roll draws prize ${drawn.prizeId}, sold out is said of ${soldOutPrizeId}`)
    check(drawn.limited !== false, 'The prize has no end to its stock, so it was not sold out')
  } else {
    const { prizeId: id } = drawn
    check(prizeId === id, `The roll draws prize ${id}, the opening says ${prizeId}`)
  }
  check(
    paid === undefined || redCoinEarned === paid,
    `The pack pays ${paid} RedCoin, the opening says ${redCoinEarned}`,
  )
  if (drawn === undefined) return 'no prize'
  const { rewardPackQuantity: packs = 0, rewardPackTypeId: type } = drawn
  const gift = packs > 0 && !soldOut ? `, with ${packs} pack(s) of type ${type}` : ''
  return soldOut ? `"${drawn.name}", which was sold out` : `"${drawn.name}"${gift}`
}

// The public log: RFC 6962 hashes, C2SP tlog-proof, tlog-checkpoint and signed-note.

const sha256Bytes = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leafHash = (entry) => sha256Bytes(Buffer.of(0), entry)
const nodeHash = (left, right) => sha256Bytes(Buffer.of(1), left, right)
/** Stocks up to this are tried when a proof does not hand its entry along. */
const stockMax = 100_000

function fromBase64(text, what) {
  const bytes = Buffer.from(text, 'base64')
  check(bytes.toString('base64') === text, `${what} is not base64`)
  return bytes
}

function readLogProof(text) {
  const end = text.indexOf('\n\n')
  const [form, ...lines] = text.slice(0, Math.max(0, end)).split('\n')
  check(form === 'c2sp.org/tlog-proof@v1', 'The proof of the log is in no known form')
  const isExtra = lines[0]?.startsWith('extra ')
  const extra = isExtra ? fromBase64(lines.shift().slice(6), 'The entry') : undefined
  const index = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '')?.[1]
  check(index !== undefined, 'The proof of the log names no place')
  const hashes = lines.map((line) => fromBase64(line, 'A hash of the proof'))
  check(
    hashes.every(({ length }) => length === 32),
    'A hash of the proof has a length it cannot have',
  )
  const note = text.slice(end + 2)
  const cut = note.lastIndexOf('\n\n') + 1
  const [origin, size, root] = note.slice(0, cut).split('\n')
  check(cut > 0 && /^(0|[1-9]\d{0,15})$/.test(size ?? ''), 'There is no checkpoint in it')
  const signatures = note.slice(cut + 1).split('\n')
  return {
    extra,
    index: BigInt(index),
    hashes,
    checkpoint: {
      text: note.slice(0, cut),
      origin,
      size: BigInt(size),
      root: fromBase64(root ?? '', 'The root'),
      signatures: signatures.filter((line) => line !== ''),
    },
  }
}

/** RFC 9162, 2.1.3.2. */
function leadsToRoot(entry, { index, hashes, checkpoint }) {
  if (index >= checkpoint.size) return false
  let [at, last, root] = [index, checkpoint.size - 1n, leafHash(entry)]
  for (const sibling of hashes) {
    if (last === 0n) return false
    if (at % 2n === 1n || at === last) {
      root = nodeHash(sibling, root)
      while (at % 2n === 0n && at !== 0n) [at, last] = [at / 2n, last / 2n]
    } else {
      root = nodeHash(root, sibling)
    }
    ;[at, last] = [at / 2n, last / 2n]
  }
  return last === 0n && root.equals(checkpoint.root)
}

/** The minute of a moment, as the log tells it. */
function minuteOf(moment) {
  const time = Date.parse(moment)
  check(Number.isFinite(time), 'The opening has no time')
  return new Date(Math.floor(time / 60_000) * 60_000).toISOString()
}

function entryText(opening, at, clientSeedHash, stockAfter) {
  const { id, packTypeId, tableHash, seedPairId: pairId, nonce } = opening
  const { prizeId, soldOutPrizeId, redCoinEarned } = opening
  const place = { type: 'opening', id, at, packTypeId, tableHash, pairId, nonce, clientSeedHash }
  return JSON.stringify({ ...place, prizeId, soldOutPrizeId, stockAfter, redCoinEarned })
}

/** All that the entry may say of the stock, which is all of it that the opening does not tell. */
function* possibleStocks({ prizeId, soldOutPrizeId }, { entries }) {
  const won = entries.find((entry) => entry.prizeId === prizeId)
  if (soldOutPrizeId !== null) return yield 0
  if (won?.limited !== true) yield null
  if (won === undefined || won.limited === false) return
  for (let stock = 0; stock <= stockMax; stock += 1) yield stock
}

function fieldsOf(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** An entry of the first log stands for a whole request; the opening is one of its packs. */
function isCarried(text, opening, at) {
  const { body, hash: named } = fieldsOf(text)
  if (typeof body !== 'string' || sha256(body) !== named) return false
  const request = { prizeIds: [], ...fieldsOf(body) }
  return (
    request.packTypeId === opening.packTypeId &&
    request.tableHash === opening.tableHash &&
    request.serverSeedHash === opening.serverSeedHash &&
    request.openingRequestAt === at &&
    request.prizeIds[opening.nonce - request.firstNonce] === opening.prizeId
  )
}

function verifyEntry({ opening, table }, log) {
  const at = minuteOf(opening.createdAt)
  const clientSeedHash = sha256(opening.clientSeed)
  const place = `entry ${log.index} of ${log.checkpoint.size}`
  const given = log.extra?.toString('utf8')
  if (given?.startsWith('{"type":"carried"')) {
    check(isCarried(given, opening, at), 'The entry of the first log is not of this opening')
    check(leadsToRoot(log.extra, log), `The ${place} does not lead to the root`)
    return place
  }
  for (const stock of possibleStocks(opening, table)) {
    const text = entryText(opening, at, clientSeedHash, stock)
    if ((given === undefined || given === text) && leadsToRoot(Buffer.from(text), log)) return place
  }
  throw new Failed(`The ${place} is not the one of this opening`)
}

function verifySignature({ checkpoint }, key) {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? []
  check(encoded !== undefined, 'The key is not written as name+id+key')
  const typed = fromBase64(encoded, 'The key')
  check(typed.length === 33 && typed[0] === 1, 'The key is no Ed25519 key')
  const found = sha256Bytes(Buffer.from(`${name}\n`), typed).toString('hex', 0, 4)
  check(found === id, 'The key does not have the id that it names')
  check(checkpoint.origin === name, `The checkpoint is of the log ${checkpoint.origin}`)
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const own = checkpoint.signatures
    .map((line) => line.split(' '))
    .filter(([dash, signer]) => dash === '\u2014' && signer === name)
    .map(([, , signature]) => fromBase64(signature ?? '', 'A signature'))
    .filter((signature) => signature.toString('hex', 0, 4) === id)
  check(own.length > 0, 'The checkpoint is not signed by this key')
  const text = Buffer.from(checkpoint.text)
  const isTrue = own.every((signature) => isSignedBy(null, text, publicKey, signature.subarray(4)))
  check(isTrue, 'The signature under the checkpoint is false')
  return `${name}, ${checkpoint.size} entries`
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

/** Runs a check, says how it went, and answers what it found. */
function step(title, work, shown = (value) => value) {
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

function verify(file, key) {
  const proof = step(
    'The file is a proof',
    () => readProof(file),
    ({ opening }) => `opening ${opening.id} of ${opening.createdAt}`,
  )
  step('The odds table is the one in force', () => verifyTable(proof))
  step('The server seed is the one committed to', () => verifyCommitment(proof))
  const roll = step('Seeds and nonce give the roll', () => computeRoll(proof))
  step('The roll gives the outcome', () => verifyOutcome(proof, roll))
  const inLog = 'The opening stands in the public log'
  if (typeof proof.log !== 'string') {
    const isFirst = proof.log === undefined
    say(`--      ${inLog}: ${isFirst ? 'not told in files of version 1' : 'not in the log yet'}`)
    return
  }
  const log = readLog(proof)
  if (isWholeRequest(proof, log)) {
    say(
      `--      ${inLog}: its entry ${log.index} stands for a whole request and is not in the file`,
    )
  } else {
    step(inLog, () => verifyEntry(proof, log))
  }
  const signed = 'The key of the log has signed it'
  if (key === undefined) say(`--      ${signed}: not checked, since no --key was given`)
  else step(signed, () => verifySignature(log, key))
}

function readLog({ log }) {
  return step(
    'The proof of the log can be read',
    () => readLogProof(log),
    ({ checkpoint }) => `checkpoint of ${checkpoint.origin}`,
  )
}

/** Draws of the first scheme may stand in an entry of the first log, which their file lacks. */
function isWholeRequest({ opening, table }, log) {
  if (opening.scheme !== 1 || log.extra !== undefined) return false
  const at = minuteOf(opening.createdAt)
  const seed = sha256(opening.clientSeed)
  return [...possibleStocks(opening, table)].every(
    (stock) => !leadsToRoot(Buffer.from(entryText(opening, at, seed, stock)), log),
  )
}

const words = process.argv.slice(2)
const keyAt = words.indexOf('--key')
const [, key] = keyAt === -1 ? [] : words.splice(keyAt, 2)
const [file, ...more] = words
if (file === undefined || more.length > 0 || (keyAt !== -1 && key === undefined)) {
  say('Usage: node tools/verify-proof.mjs FILE [--key KEY]')
  process.exitCode = 1
} else {
  try {
    verify(file, key)
    say('The draw is what its seeds and its odds table say.')
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    say('The draw could not be verified.')
    process.exitCode = 1
  }
}
