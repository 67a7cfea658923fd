// A witness for tests, as C2SP tlog-witness and tlog-cosignature describe one.

import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { base64Of, bytesOfBase64 } from '@redpack/fair/bytes'
import { openCheckpoint, parseVerifierKey, verifierKey, verifierKeyText } from '@redpack/fair/notes'
import { provesConsistency, type TreeHead } from '@redpack/fair/tree'
import { testNow } from '../../tools/test-clock.ts'
import { logHashes, nodeHashing } from '../src/adapters/random/hashing.ts'
import { listenLocally } from './local-server.ts'

type Misbehaviour = 'hang' | 'fail' | 'forge' | 'waver'

export interface ReferenceWitness {
  readonly vkey: string
  readonly url: string
  /** Size of the tree it has cosigned last. */
  seen(): number
  /** Statuses it has answered with, oldest first. */
  readonly answers: number[]
  /** What it does instead of its work, until it is told to work again. */
  misbehave(way: Misbehaviour | undefined): void
  forget(): void
  close(): Promise<void>
}

/** Starts a witness called `name`. `logKey` answers the verifier key that it trusts. */
export async function startWitness(name: string, logKey: () => string): Promise<ReferenceWitness> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const key = verifierKey(name, 4, raw, nodeHashing.sha256)
  const nothing: TreeHead = { size: 0, root: logHashes.emptyRoot }
  let known = nothing
  const answers: number[] = []
  let way: Misbehaviour | undefined

  async function addCheckpoint(body: string): Promise<[status: number, text: string]> {
    const [, older = '', proof = '', note = ''] =
      /^old (\d+)\n((?:[^\n]+\n)*)\n(.*)$/s.exec(body) ?? []
    const trusted = parseVerifierKey(logKey(), nodeHashing.sha256)
    const newer = trusted && (await openCheckpoint(note, trusted).catch(() => undefined))
    if (newer === undefined) return [403, '']
    if (way === 'waver') return [409, '1\n']
    if (Number(older) > newer.size) return [400, '']
    if (known.size !== Number(older)) return [409, `${known.size}\n`]
    const path = proof.split('\n').flatMap((line) => bytesOfBase64(line) ?? [])
    if (!provesConsistency(known, newer, path, logHashes.nodeHash)) return [422, '']
    known = newer
    const seconds = Math.floor(testNow() / 1000)
    const text = note.slice(0, note.indexOf('\n\n') + 1)
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(seconds))
    const signed = way === 'forge' ? `${text}forged\n` : text
    const message = Buffer.from(`cosignature/v1\ntime ${seconds}\n${signed}`)
    const bytes = Buffer.concat([key.id, time, sign(null, message, privateKey)])
    return [200, `— ${name} ${base64Of(bytes)}\n`]
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (way === 'hang') return
    const isKnown = request.method === 'POST' && request.url === '/witness/add-checkpoint'
    const asked = isKnown && way !== 'fail'
    const [status, text] = asked ? await addCheckpoint(String(Buffer.concat(chunks))) : [500, '']
    answers.push(status)
    response.writeHead(status, status === 409 ? { 'content-type': 'text/x.tlog.size' } : {})
    response.end(text)
  })
  const { port, close } = await listenLocally(server)
  return {
    vkey: verifierKeyText(key),
    url: `http://127.0.0.1:${port}/witness`,
    answers,
    seen: () => known.size,
    misbehave(next) {
      way = next
    },
    forget() {
      known = nothing
    },
    close,
  }
}
