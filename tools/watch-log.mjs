// Keeps watch over the public log of a Redpack: `node tools/watch-log.mjs URL`. It needs Node 20,
// the file beside it, and nothing else. It shares no code with the product, so that it can disagree
// with it; docs/economy.md says what it checks. What it has seen it remembers, so that a history
// that changes later is found out.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { argv, exit, stderr, stdout } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Replay } from './watch-log-replay.mjs'

// --- Signed notes (C2SP signed-note, tlog-checkpoint)

const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex')

/** Reads `name+id+key`. @throws Error when it is no Ed25519 key, or its id is wrong */
function parseKey(text) {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text) ?? []
  if (encoded === undefined) throw new Error(`This is no key of a log: ${text}`)
  const bytes = Buffer.from(encoded, 'base64')
  const hash = createHash('sha256').update(`${name}\n`).update(bytes).digest('hex')
  if (bytes[0] !== 1 || hash.slice(0, 8) !== id) throw new Error(`This is no key of a log: ${text}`)
  const der = Buffer.concat([ed25519Head, bytes.subarray(1)])
  return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** The parts of a checkpoint; its signature is not checked yet. @throws Error when it is none */
function openCheckpoint(note) {
  const end = note.lastIndexOf('\n\n')
  const text = note.slice(0, end + 1)
  const lines = note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line !== '')
  const [origin, size, root] = text.split('\n')
  if (end < 0 || !origin || !/^(0|[1-9]\d{0,14})$/.test(size ?? '') || root?.length !== 44) {
    throw new Error('What the log serves is no checkpoint')
  }
  return {
    note,
    origin,
    size: Number(size),
    root: Buffer.from(root, 'base64').toString('hex'),
    /** Signatures of others; who trusts one of them checks it with their key. */
    cosigners: lines.filter((line) => !line.startsWith(`— ${origin} `)).length,
    isSignedBy({ name, id, key }) {
      const ours = lines.filter((line) => line.startsWith(`— ${name} `))
      const signatures = ours.map((line) => Buffer.from(line.split(' ')[2] ?? '', 'base64'))
      return (
        name === origin &&
        signatures.some(
          (bytes) =>
            bytes.subarray(0, 4).toString('hex') === id &&
            verify(null, Buffer.from(text), key, bytes.subarray(4)),
        )
      )
    },
  }
}

// --- The Merkle tree of RFC 6962: one hash for each full subtree on the right

const sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const leafMark = Buffer.of(0)
const nodeMark = Buffer.of(1)

const leafHash = (entry) => sha256(leafMark, entry)

/** Grows by entries and tells the root; its state is a few dozen hashes however long the log is. */
class Tree {
  #peaks
  #size

  constructor(state = { size: 0, peaks: [] }) {
    this.#size = state.size
    this.#peaks = state.peaks.map((peak) => Buffer.from(peak, 'hex'))
  }

  get size() {
    return this.#size
  }

  append(entry) {
    let hash = leafHash(entry)
    // As many subtrees are completed as the old size has ones at its end.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      hash = sha256(nodeMark, this.#peaks.pop(), hash)
    }
    this.#peaks.push(hash)
    this.#size += 1
  }

  root() {
    if (this.#size === 0) return sha256().toString('hex')
    return this.#peaks.reduceRight((right, left) => sha256(nodeMark, left, right)).toString('hex')
  }

  state() {
    return { size: this.#size, peaks: this.#peaks.map((peak) => peak.toString('hex')) }
  }
}

// --- Checkpoint, entries and hashes of a log (C2SP tlog-tiles)

const width = 256
const atOnce = 8
const triesMax = 6
const timeoutMillis = 20_000

/** `x001/x234/067` for 1234067. */
function spelled(index) {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
}

class LogReader {
  #url

  constructor(url) {
    this.#url = url
  }

  /** @throws Error when the log cannot be reached or does not have it */
  async text(path) {
    return (await this.#bytes(path)).toString('utf8')
  }

  /** Entries as bytes, from one index up to but not including another, in their order. */
  async *entries(from, to) {
    const bundles = this.#pieces('entries', from, to)
    for await (const { first, bytes, count } of bundles) {
      const entries = cut(bytes)
      if (entries.length < count) throw new Error(`The log serves too few entries from ${first} on`)
      for (let at = Math.max(0, from - first); at < count; at += 1) yield entries[at]
    }
  }

  /** The index of the first entry whose hash is not the one in its tile. */
  async firstWrongEntry(from, to) {
    let index = from
    const hashes = this.#pieces('0', from, to)
    let tile = { value: undefined }
    for await (const entry of this.entries(from, to)) {
      if (tile.value === undefined || index % width === 0) tile = await hashes.next()
      const at = (index % width) * 32
      if (!leafHash(entry).equals(tile.value.bytes.subarray(at, at + 32))) return index
      index += 1
    }
    return undefined
  }

  /** Several are under way at once, and all come in their order. */
  async *#pieces(level, from, to) {
    const waiting = []
    let next = Math.floor(from / width)
    while (waiting.length > 0 || next * width < to) {
      while (waiting.length < atOnce && next * width < to) {
        const piece = this.#piece(level, next, Math.min(width, to - next * width))
        // Whoever is waited for first says what went wrong.
        piece.catch(() => undefined)
        waiting.push(piece)
        next += 1
      }
      yield await waiting.shift()
    }
  }

  async #piece(level, index, count) {
    const path = `tile/${level}/${spelled(index)}`
    const first = index * width
    if (count === width) return { first, count, bytes: await this.#bytes(path) }
    try {
      return { first, count, bytes: await this.#bytes(`${path}.p/${count}`) }
    } catch (error) {
      if (error.status !== 404) throw error
      // A partial piece may be gone once the full one is there.
      return { first, count, bytes: await this.#bytes(path) }
    }
  }

  async #bytes(path) {
    for (let tries = 1; ; tries += 1) {
      const { response, failure } = await fetch(`${this.#url}/${path}`, {
        signal: AbortSignal.timeout(timeoutMillis),
      }).then(
        (answer) => ({ response: answer }),
        (error) => ({ failure: error.cause?.message ?? error.message }),
      )
      if (response?.ok) {
        const read = await response.arrayBuffer().catch(() => undefined)
        if (read !== undefined) return Buffer.from(read)
      }
      const isWorthAnother = response === undefined || response.ok || retried.has(response.status)
      if (!isWorthAnother || tries >= triesMax) {
        const why = failure ?? `it answers ${response?.status}`
        const error = new Error(`${this.#url}/${path} cannot be read: ${why}`)
        throw Object.assign(error, { status: response?.status })
      }
      const seconds = Number(response?.headers.get('retry-after'))
      await wait(seconds > 0 ? Math.min(seconds, 60) * 1000 : 250 * 2 ** tries)
    }
  }
}

const retried = new Set([429, 500, 502, 503, 504])

/** Each entry has its length in two bytes in front. */
function cut(bytes) {
  const entries = []
  for (let at = 0; at + 2 <= bytes.length; ) {
    const end = at + 2 + bytes.readUInt16BE(at)
    if (end > bytes.length) break
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return entries
}

// --- The program

const usage = `Usage: node tools/watch-log.mjs URL [--state FILE] [--once] [--key VKEY]
  URL     of the site or of its log, for example https://packs.example.com/log
  --state file that remembers what was seen (default: log-watch-HOST.json)
  --once  looks once instead of every minute
  --key   the log's key if you know it from elsewhere; also accepts a new one
Exit code: 0 all is well, 1 the log is not what it says or was changed, 2 it could not be looked
at.`

const everyMillis = 60_000
const problemsMax = 20

/** The log is not what it says. Everything known stands in the file of evidence. */
class Caught extends Error {}

const say = (text) => stdout.write(`${text}\n`)

/** What was remembered, or a beginning. */
function readState(file, url) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return { version: 1, url, problems: [] }
    throw error
  }
  const state = JSON.parse(text)
  if (state.version !== 1) throw new Error(`${file} is not a state of this program`)
  return state
}

/** Whole or not at all: a state that is cut off would be worth nothing. */
function writeWhole(file, value) {
  writeFileSync(`${file}.new`, JSON.stringify(value))
  renameSync(`${file}.new`, file)
}

function keepEvidence(file, state, problems, more) {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const evidence = `${file.replace(/\.json$/, '')}.evidence-${stamp}.json`
  writeWhole(evidence, { url: state.url, key: state.key, seenAt: new Date(), problems, ...more })
  return evidence
}

/** The key to check with: what was given or remembered, and at first what the log itself says. */
async function keyFor(state, reader, given) {
  if (given !== undefined) parseKey(given)
  const offered = (await reader.text('key')).trim()
  const key = given ?? state.key ?? offered
  if (key !== offered) {
    const why = given === undefined ? 'was remembered' : 'was given'
    throw new Caught(
      `The log says that its key is ${offered}, but ${key} ${why}. Ask the operator in public why. ` +
        'If the change is announced and you accept it, start once with --key and the new key.',
    )
  }
  return key
}

/** Looks once. @throws Caught with a sentence for people */
async function look(state, file, reader, given) {
  const known = state.checkpoint === undefined ? undefined : openCheckpoint(state.checkpoint)
  let checkpoint
  const accuse = (why) => {
    const more = { remembered: state.checkpoint, found: checkpoint?.note }
    const evidence = keepEvidence(file, state, [why], more)
    throw new Caught(`${why}\nBoth checkpoints are kept in ${evidence}`)
  }
  const key = await keyFor(state, reader, given)
  checkpoint = openCheckpoint(await reader.text('checkpoint'))
  if (!checkpoint.isSignedBy(parseKey(key))) accuse('The checkpoint is not signed by the key')
  state.key = key
  if (known !== undefined) {
    if (known.origin !== checkpoint.origin) {
      accuse(`The log calls itself ${checkpoint.origin} now; it was ${known.origin}`)
    }
    if (checkpoint.size < known.size) {
      // A cache in between may be a few seconds behind.
      await wait(5_000)
      checkpoint = openCheckpoint(await reader.text('checkpoint'))
      if (!checkpoint.isSignedBy(parseKey(key))) accuse('The checkpoint is not signed by the key')
      if (checkpoint.size < known.size) {
        accuse(
          `HISTORY WAS CHANGED: the log had ${known.size} entries and now has ${checkpoint.size}`,
        )
      }
    }
  }
  const tree = new Tree(state.tree)
  const replay = new Replay(state.replay)
  const from = tree.size
  for await (const entry of reader.entries(from, checkpoint.size)) {
    tree.append(entry)
    replay.take(entry)
  }
  if (tree.root() !== checkpoint.root) {
    accuse(await whatDiffers(reader, from, checkpoint, known))
  }
  const problems = replay.takeProblems()
  if (problems.length > 0) {
    const kept = keepEvidence(file, state, problems, { found: checkpoint.note })
    state.problems.push(...problems.slice(0, problemsMax).map((text) => `${text} (${kept})`))
  }
  Object.assign(state, { checkpoint: checkpoint.note, tree: tree.state(), replay: replay.state() })
  writeWhole(file, state)
  return { checkpoint, added: checkpoint.size - from, replay }
}

/** Entries that are served wrong are told apart from a history that was changed. */
async function whatDiffers(reader, from, checkpoint, known) {
  const wrong = await reader.firstWrongEntry(from, checkpoint.size)
  if (wrong !== undefined) {
    return `Entry ${wrong} is served with a text whose hash is not the one in the tree`
  }
  return known === undefined || known.size === 0
    ? 'The entries do not give the root that is signed'
    : `HISTORY WAS CHANGED: the log with ${checkpoint.size} entries does not begin with the ` +
        `${known.size} entries that were signed and seen before`
}

function report({ checkpoint, added, replay }) {
  const { openings, pairs, revealed, checked, undecided } = replay.figures()
  say(
    `${new Date().toISOString()} ${checkpoint.origin}: ${checkpoint.size} entries ` +
      `(${added} new), signed, ${checkpoint.cosigners} cosignatures`,
  )
  say(
    `  ${openings} packs opened from ${pairs} seed pairs; ${revealed} pairs are revealed and ` +
      `${checked} packs were drawn again`,
  )
  if (undecided > 0) {
    say(`  ${undecided} draws of the first log gave nothing where a prize was drawn: it does not`)
    say('  tell whether the prize was sold out')
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    args: argv.slice(2),
    allowPositionals: true,
    options: {
      state: { type: 'string' },
      once: { type: 'boolean', default: false },
      key: { type: 'string' },
    },
  })
  const [address] = positionals
  if (address === undefined || !URL.canParse(address)) throw new Error(usage)
  const url = address.replace(/\/+$/, '').replace(/(\/log)?$/, '/log')
  const file = values.state ?? `log-watch-${new URL(url).host.replace(/[^\w.-]/g, '_')}.json`
  let { key } = values
  for (;;) {
    const state = readState(file, url)
    try {
      report(await look(state, file, new LogReader(url), key))
    } catch (error) {
      if (error instanceof Caught || values.once) throw error
      say(`${new Date().toISOString()} could not look: ${error.message}`)
    }
    if (state.problems.length > 0) {
      throw new Caught(`What the log tells is not right:\n${state.problems.join('\n')}`)
    }
    if (values.once) return
    key = undefined
    await wait(everyMillis)
  }
}

try {
  await main()
} catch (error) {
  stderr.write(`${error instanceof Caught ? 'ALARM: ' : ''}${error.message}\n`)
  exit(error instanceof Caught ? 1 : 2)
}
