// A witness for tests, written from C2SP tlog-witness and tlog-cosignature alone: it shares no code
// with the product that it watches.

import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testNow } from '../../tools/test-clock.ts'

export interface ReferenceWitness {
  readonly vkey: string
  readonly url: string
  /** `VKEY=URL`, as the product's setting takes it. */
  readonly setting: string
  /** Size of the tree it has cosigned last. */
  seen(): number
  /** Statuses it has answered with, oldest first. */
  readonly answers: number[]
  /** What it does instead of its work, until it is told to work again. */
  misbehave(way: 'hang' | 'fail' | 'forge' | undefined): void
  forget(): void
  close(): Promise<void>
}

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const head = Buffer.from('302a300506032b6570032100', 'hex')

function keyId(name: string, type: number, key: Buffer): Buffer {
  return sha256(Buffer.from(`${name}\n`), Buffer.of(type), key).subarray(0, 4)
}

/** Starts a witness called `name`. `logKeys` answers the verifier keys that it trusts. */
export async function startWitness(
  name: string,
  logKeys: () => readonly string[],
): Promise<ReferenceWitness> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(head.length)
  const id = keyId(name, 4, raw)
  const encoded = Buffer.concat([Buffer.of(4), raw]).toString('base64')
  const known = new Map<string, { size: number; root: string }>()
  const answers: number[] = []
  let way: 'hang' | 'fail' | 'forge' | undefined

  function addCheckpoint(body: string): [status: number, text: string] {
    const middle = body.indexOf('\n\n')
    const [oldLine = '', ...proof] = body.slice(0, middle).split('\n')
    const note = body.slice(middle + 2)
    const text = note.slice(0, note.indexOf('\n\n') + 1)
    const [origin = '', sizeText = '', root = ''] = text.split('\n')
    const [older, size] = [Number(oldLine.replace('old ', '')), Number(sizeText)]
    const keys = logKeys().filter((key) => key.startsWith(`${origin}+`))
    if (keys.length === 0) return [404, '']
    if (!keys.some((key) => isSigned(key, note, text))) return [403, '']
    if (older > size) return [400, '']
    const seen = known.get(origin) ?? { size: 0, root: '' }
    if (seen.size !== older) return [409, `${seen.size}\n`]
    const hashes = proof.map((line) => Buffer.from(line, 'base64'))
    const isGrown =
      older === 0
        ? hashes.length === 0
        : older === size
          ? hashes.length === 0 && seen.root === root
          : isConsistent(older, size, hashes, seen.root, root)
    if (!isGrown) return [422, '']
    known.set(origin, { size, root })
    const seconds = Math.floor(testNow() / 1000)
    const signed = way === 'forge' ? text.replace(root, 'A'.repeat(43)) : text
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(seconds))
    const message = Buffer.from(`cosignature/v1\ntime ${seconds}\n${signed}`)
    const bytes = Buffer.concat([id, time, sign(null, message, privateKey)])
    return [200, `— ${name} ${bytes.toString('base64')}\n`]
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (way === 'hang') return
      const isKnown = request.method === 'POST' && request.url === '/witness/add-checkpoint'
      const [status, text] =
        way === 'fail'
          ? [500, '']
          : isKnown
            ? addCheckpoint(String(Buffer.concat(chunks)))
            : [404, '']
      answers.push(status)
      response.writeHead(status, status === 409 ? { 'content-type': 'text/x.tlog.size' } : {})
      response.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/witness`
  const vkey = `${name}+${id.toString('hex')}+${encoded}`
  return {
    vkey,
    url,
    setting: `${vkey}=${url}/`,
    answers,
    seen: () => Math.max(0, ...[...known.values()].map(({ size }) => size)),
    misbehave(next) {
      way = next
    },
    forget: () => known.clear(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function isSigned(vkey: string, note: string, text: string): boolean {
  const [name = '', id = '', ...rest] = vkey.split('+')
  const bytes = Buffer.from(rest.join('+'), 'base64')
  const key = createPublicKey({
    key: Buffer.concat([head, bytes.subarray(1)]),
    format: 'der',
    type: 'spki',
  })
  return note.split('\n').some((line) => {
    if (!line.startsWith(`— ${name} `)) return false
    const signature = Buffer.from(line.slice(`— ${name} `.length), 'base64')
    if (signature.subarray(0, 4).toString('hex') !== id) return false
    return verify(null, Buffer.from(text), key, signature.subarray(4))
  })
}

/** Both roots again from the proof, by the recursion of RFC 6962, 2.1.2. */
function isConsistent(
  older: number,
  size: number,
  proof: readonly Buffer[],
  oldRoot: string,
  newRoot: string,
): boolean {
  const left = [...proof]
  const node = (a: Buffer, b: Buffer) => sha256(Buffer.of(1), a, b)
  const walk = (m: number, n: number, isWhole: boolean): [Buffer, Buffer] => {
    if (m === n) {
      const root = isWhole ? Buffer.from(oldRoot, 'base64') : left.shift()
      if (root === undefined) throw new Error('The proof is too short')
      return [root, root]
    }
    let k = 1
    while (k * 2 < n) k *= 2
    const [first, second] = m <= k ? walk(m, k, isWhole) : walk(m - k, n - k, false)
    const sibling = left.shift()
    if (sibling === undefined) throw new Error('The proof is too short')
    return m <= k ? [first, node(second, sibling)] : [node(sibling, first), node(sibling, second)]
  }
  try {
    const [before, after] = walk(older, size, true)
    return (
      left.length === 0 &&
      before.toString('base64') === oldRoot &&
      after.toString('base64') === newRoot
    )
  } catch {
    return false
  }
}
