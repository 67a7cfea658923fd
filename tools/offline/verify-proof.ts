// Verifies the proof of an opening offline: `node verify-proof.mjs FILE [--key KEY]`. It needs Node
// and nothing else. Also takes the memory that the site's page saves, and draws again what was
// withheld.

import { readFileSync } from 'node:fs'
import { type AskedOpening, withheldPrizes } from '../../fair/src/checks.ts'
import { parseVerifierKey } from '../../fair/src/notes.ts'
import { openLogProof } from '../../fair/src/proof.ts'
import { treeHashes } from '../../fair/src/tree.ts'
import { proofFileBytesMax, readProof, summaryText, verifyProof } from '../../fair/src/verify.ts'
import { nodeHashing, verifySignature } from './node-crypto.ts'

const marks = { passed: 'ok     ', failed: 'FAILED ', waiting: '--     ', unchecked: '--     ' }
const say = (line: string) => process.stdout.write(`${line}\n`)

async function verify(text: string, keyText: string | undefined): Promise<boolean> {
  const proof = readProof(text)
  const key = keyText === undefined ? undefined : parseVerifierKey(keyText, nodeHashing.sha256)
  if (keyText !== undefined && key === undefined) throw new Error('This is not the key of a log.')
  const hashes = treeHashes(nodeHashing)
  const check = key ? (log: string) => openLogProof(log, key, hashes, verifySignature) : null
  const found = await verifyProof(proof, check)
  for (const { verdict, title, text: sentence } of found.steps) {
    say(`${marks[verdict]} ${title}: ${sentence}`)
  }
  say(summaryText(found))
  return found.verdict !== 'failed'
}

interface Memory {
  readonly requests: readonly (AskedOpening & {
    readonly outcome: string
    readonly sentAt: number
  })[]
  readonly seeds: readonly { chainId: number; index: number; serverSeed: string }[]
  readonly tables?: Readonly<Record<string, string>>
}

/** What was withheld, by a saved memory; nothing of it is a fault by itself. */
function sayWithheld({ requests, seeds, tables = {} }: Memory): void {
  for (const request of requests) {
    if (!['sent', 'refused', 'moved'].includes(request.outcome)) continue
    const { chainId, index, tableHash } = request
    const seed = seeds.find((one) => one.chainId === chainId && one.index === index)
    const table = tables[tableHash]
    const prizes =
      seed && table ? withheldPrizes(request, seed.serverSeed, table, nodeHashing) : undefined
    const gave = prizes?.map((prize) => (prize === null ? 'nothing' : `prize ${prize}`)).join(', ')
    const when = new Date(request.sentAt).toISOString()
    say(
      `${when} chain ${chainId}, index ${index}: ${gave ? `would have given ${gave}` : 'its seed is not known yet'}`,
    )
  }
}

async function main(): Promise<boolean> {
  const words = process.argv.slice(2)
  const at = words.indexOf('--key')
  const [, key] = at === -1 ? [] : words.splice(at, 2)
  const [file, ...more] = words
  if (file === undefined || more.length > 0 || (at !== -1 && key === undefined)) {
    throw new Error('Usage: node verify-proof.mjs FILE [--key KEY]')
  }
  const text = readFileSync(file, 'utf8')
  if (text.length > proofFileBytesMax) throw new Error('This file is too large for a proof.')
  if (!text.includes('"requests"')) return verify(text, key)
  sayWithheld(JSON.parse(text) as Memory)
  return true
}

main()
  .then((isRight) => {
    if (!isRight) process.exitCode = 1
  })
  .catch((error: Error) => {
    say(error.message)
    process.exitCode = 1
  })
