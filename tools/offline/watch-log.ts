// Watches the public log of a Redpack: `node watch-log.mjs URL`. It needs only Node. It replays
// every draw and remembers what it has seen, so that it detects later changes of the history.
// docs/economy.md says what it checks.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bytesOfHex, hexOf } from '../../fair/src/bytes.ts'
import { type OpenedCheckpoint, openCheckpoint, parseVerifierKey } from '../../fair/src/notes.ts'
import { Replay, type ReplayState } from '../../fair/src/replay.ts'
import { beginning, follow, LogFault, logFiles, treeHashes } from '../../fair/src/tree.ts'
import { nodeHashing } from '../../server/src/adapters/random/hashing.ts'

const usage = `Usage: node watch-log.mjs URL [--state FILE] [--once] [--key VKEY]
  URL     of the site or of its log, for example https://packs.example.com/log
  --state file that remembers what was seen (default: log-watch-HOST.json)
  --once  looks once instead of every minute
  --key   the log's key if you know it from elsewhere; also accepts a new one
Exit code: 0 all is well, 1 the log is false or was changed, 2 it could not be read.`

const everyMillis = 60_000
const answerMillis = 30_000
const triesMax = 6
const retried = new Set([429, 500, 502, 503, 504])
const hashes = treeHashes(nodeHashing)

interface State {
  readonly version: 3
  readonly url: string
  key?: string
  note?: string
  /** The edge of the tree, in hex. */
  edge: string[]
  replay?: ReplayState
  problems: string[]
}

/** The log is false. The evidence file has everything known. */
class Caught extends Error {}

const say = (text: string) => process.stdout.write(`${text}\n`)

/** `fetch` itself only says that it failed. */
function reasonOf({ cause, message }: Error): string {
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message
}

function keyOf(text: string) {
  const key = parseVerifierKey(text, nodeHashing.sha256)
  if (key === undefined) throw new Error(`This is no key of a log: ${text}`)
  return key
}

async function load(address: string): Promise<Uint8Array | undefined> {
  for (let tries = 1; ; tries += 1) {
    const signal = AbortSignal.timeout(answerMillis)
    const answer = await fetch(address, { signal }).catch((error: Error) => error)
    const isError = answer instanceof Error
    if (!isError && answer.ok) return new Uint8Array(await answer.arrayBuffer())
    if (!isError && answer.status === 404) return undefined
    if (!(isError || retried.has(answer.status)) || tries >= triesMax) {
      const why = isError ? reasonOf(answer) : `it answers ${answer.status}`
      throw new Error(`${address} cannot be read: ${why}`)
    }
    const seconds = isError ? 0 : Number(answer.headers.get('retry-after'))
    await wait(seconds > 0 ? Math.min(seconds, 60) * 1000 : 250 * 2 ** tries)
  }
}

function readState(file: string, url: string): State {
  if (!existsSync(file)) return { version: 3, url, edge: [], problems: [] }
  const state = JSON.parse(readFileSync(file, 'utf8')) as State
  if (state.version !== 3) throw new Error(`${file} is not a state of this program`)
  return state
}

/** Whole or not at all: a partial state would be worthless. */
function writeWhole(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(value))
  renameSync(`${file}.new`, file)
}

function keepEvidence(file: string, { url, key, note: remembered }: State, more: object): string {
  const seenAt = new Date().toISOString()
  const evidence = `${file.replace(/\.json$/, '')}.evidence-${seenAt.replace(/[:.]/g, '-')}.json`
  writeWhole(evidence, { url, key, remembered, seenAt, ...more })
  return evidence
}

/** Looks once, and remembers. @throws Caught with a sentence for people */
async function look(state: State, file: string, given: string | undefined): Promise<void> {
  const files = logFiles(state.url, load)
  const offered = await files.key()
  const keyText = given ?? state.key ?? offered
  const note = await files.checkpoint()
  if (note === undefined) throw new Error(`${state.url} has no checkpoint`)
  const accuse = (why: string): never => {
    const evidence = keepEvidence(file, state, { found: note, offered, why })
    throw new Caught(`${why}\nBoth checkpoints are kept in ${evidence}`)
  }
  if (keyText !== offered)
    accuse(`The log says that its key is ${offered}, and ${keyText} was known`)
  const key = keyOf(keyText)
  try {
    const checkpoint = await openCheckpoint(note, key)
    const edge = state.edge.map((hash) => bytesOfHex(hash) ?? new Uint8Array())
    const from = state.replay ? { size: state.replay.size, edge } : beginning
    if (checkpoint.size < from.size) {
      accuse(`HISTORY WAS CHANGED: the log had ${from.size} entries and now has ${checkpoint.size}`)
    }
    const replay = new Replay(nodeHashing, state.replay)
    let reached = from
    for await (const step of follow(checkpoint, from, files.tile, hashes)) {
      for (const entry of step.entries) replay.take(entry)
      reached = step.reached
    }
    const problems = replay.faults.map(({ index, text }) => `Entry ${index} ${text}`)
    Object.assign(state, { key: keyText, note, replay: replay.state() })
    state.edge = reached.edge.map(hexOf)
    if (problems.length > 0) {
      const kept = keepEvidence(file, state, { found: note, problems })
      state.problems.push(...problems.map((text) => `${text} (${kept})`))
    }
    writeWhole(file, state)
    report(checkpoint, checkpoint.size - from.size, replay)
  } catch (error) {
    if (error instanceof LogFault) {
      accuse(state.note === undefined ? error.message : `HISTORY WAS CHANGED: ${error.message}`)
    }
    throw error
  }
}

function report(checkpoint: OpenedCheckpoint, added: number, replay: Replay): void {
  const { counts, cutStocks, record } = replay
  const { origin, size, cosigners } = checkpoint
  const now = new Date().toISOString()
  say(`${now} ${origin}: ${size} entries (${added} new), signed, ${cosigners.length} cosignatures`)
  const { packs, openings, chains, ended, byServer, givenUp } = counts
  const ends = `${ended} of them ended`
  say(`  ${packs} packs of ${openings} openings drawn again, ${chains} chains, ${ends}`)
  say(`  deliveries: ${record.words(now.slice(0, 10))}`)
  if (byServer > 0) say(`  ${byServer} openings used the server's entropy`)
  if (givenUp > 0) say(`  ${givenUp} chains ended without their last seed: they may hide a win`)
  for (const { index, prizeId } of cutStocks) {
    say(`  entry ${index}: prize ${prizeId} was sold out soon after staff took from its stock`)
  }
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const options = { state: text, key: text, once: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [address] = positionals
  if (address === undefined || !URL.canParse(address)) throw new Error(usage)
  const url = address.replace(/\/+$/, '').replace(/(\/log)?$/, '/log')
  const file = values.state ?? `log-watch-${new URL(url).host.replace(/[^\w.-]/g, '_')}.json`
  const { key } = values
  // What was mistyped accuses nobody.
  if (key !== undefined) keyOf(key)
  for (;;) {
    const state = readState(file, url)
    try {
      await look(state, file, key)
    } catch (error) {
      if (error instanceof Caught || values.once) throw error
      say(`${new Date().toISOString()} could not check: ${(error as Error).message}`)
    }
    if (state.problems.length > 0) {
      throw new Caught(`The log is wrong:\n${state.problems.join('\n')}`)
    }
    if (values.once) return
    await wait(everyMillis)
  }
}

main().catch((error: NodeJS.ErrnoException) => {
  const help = error.code?.startsWith('ERR_PARSE_ARGS') === true ? `\n${usage}` : ''
  process.stderr.write(`${error instanceof Caught ? 'ALARM: ' : ''}${error.message}${help}\n`)
  process.exitCode = error instanceof Caught ? 1 : 2
})
