// A transparency log for tests, made with Node's cryptography and the definitions of RFC 6962, so
// that it can disagree with the browser's code; and a pretend server of it.

/// <reference types="node" />

import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type HttpHandler, HttpResponse, http } from 'msw'

const sha256 = (...parts: Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

/** MTH of RFC 6962, as it is defined. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return leaves[0]!
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

/** PATH of RFC 6962. */
function pathOf(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return []
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return index < split
    ? [...pathOf(index, leaves.slice(0, split)), treeHash(leaves.slice(split))]
    : [...pathOf(index - split, leaves.slice(split)), treeHash(leaves.slice(0, split))]
}

export interface SampleKey {
  readonly text: string
  /** A signature line under a note. */
  readonly line: (note: string) => string
}

/** A new Ed25519 key with its name; the type is 1 for logs. */
export function sampleKey(name = 'play.example.com/log'): SampleKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const raw = rawKey(privateKey)
  const typed = Buffer.concat([Buffer.of(1), raw])
  const id = sha256(Buffer.from(`${name}\n`), typed).subarray(0, 4)
  return {
    text: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
    line: (note) => {
      const signature = sign(null, Buffer.from(note), privateKey)
      return `\u2014 ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`
    },
  }
}

function rawKey(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
}

export interface SampleLog {
  readonly key: SampleKey
  readonly entries: readonly string[]
  checkpoint(size?: number): string
  tile(level: number, index: number, width: number): Buffer
  bundle(index: number, width: number): Buffer
  proof(index: number, options?: { readonly hasExtra: boolean }): string
}

/** A log of these entries. */
export function sampleLog(entries: readonly string[], key = sampleKey()): SampleLog {
  const bodies = entries.map((entry) => Buffer.from(entry))
  const leaves = bodies.map((body) => sha256(Buffer.of(0), body))
  const name = key.text.slice(0, key.text.indexOf('+'))
  const log: SampleLog = {
    key,
    entries,
    checkpoint(size = entries.length) {
      const root = treeHash(leaves.slice(0, size)).toString('base64')
      const note = `${name}\n${size}\n${root}\n`
      return `${note}\n${key.line(note)}`
    },
    tile(level, index, width) {
      const span = 256 ** level
      const first = index * 256
      const hashes = Array.from({ length: width }, (_, at) =>
        treeHash(leaves.slice((first + at) * span, (first + at + 1) * span)),
      )
      return Buffer.concat(hashes)
    },
    bundle(index, width) {
      const shown = bodies.slice(index * 256, index * 256 + width)
      return Buffer.concat(
        shown.flatMap((body) => {
          const length = Buffer.alloc(2)
          length.writeUInt16BE(body.length)
          return [length, body]
        }),
      )
    },
    proof(index, { hasExtra } = { hasExtra: false }) {
      const path = pathOf(index, leaves).map((hash) => hash.toString('base64'))
      const extra = hasExtra ? [`extra ${bodies[index]?.toString('base64')}`] : []
      const head = ['c2sp.org/tlog-proof@v1', ...extra, `index ${index}`, ...path]
      return `${head.join('\n')}\n\n${log.checkpoint()}`
    },
  }
  return log
}

const text = (body: string) => new HttpResponse(body, { headers: { 'content-type': 'text/plain' } })
const bytes = (body: Buffer) =>
  new HttpResponse(new Uint8Array(body), {
    headers: { 'content-type': 'application/octet-stream' },
  })

/** Serves a log as the server does; what is asked for is the log at that moment. */
export function servesLog(current: () => SampleLog): HttpHandler[] {
  const tileOf = ({ request }: { request: Request }) => {
    const path = new URL(request.url).pathname.replace('/log/tile/', '')
    const [, level = '', groups = '', width = '256'] =
      /^(\d+|entries)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d+))?$/.exec(path) ?? []
    const index = Number(groups.replaceAll(/[x/]/g, ''))
    const log = current()
    return bytes(
      level === 'entries'
        ? log.bundle(index, Number(width))
        : log.tile(Number(level), index, Number(width)),
    )
  }
  return [
    http.get('/log/checkpoint', () => text(current().checkpoint())),
    http.get('/log/key', () => text(`${current().key.text}\n`)),
    http.get('/log/tile/*', tileOf),
  ]
}
