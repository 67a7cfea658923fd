// A public log as a lying operator would serve it: entries exchanged, the tree made to fit them.

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const bundleWidth = 256

const sha256 = (...parts: Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

/** The root of RFC 6962, section 2.1, straight from its definition. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!)
  let left = 1
  while (left * 2 < leaves.length) left *= 2
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)))
}

function bundleOf(leaves: readonly Buffer[]): Buffer {
  return Buffer.concat(
    leaves.flatMap((leaf) => [Buffer.of(leaf.length >> 8, leaf.length & 255), leaf]),
  )
}

/** Where the bundle of that number is. A history of a test has fewer than 1,000 of them. */
const pathOf = (index: number) => `/log/tile/entries/${String(index).padStart(3, '0')}`

/** The texts of all entries in a log that is served at `origin`. */
export async function entriesAt(origin: string): Promise<string[]> {
  const checkpoint = await (await fetch(`${origin}/log/checkpoint`)).text()
  const size = Number(checkpoint.split('\n')[1])
  const texts: string[] = []
  while (texts.length < size) {
    const width = Math.min(bundleWidth, size - texts.length)
    const path = pathOf(texts.length / bundleWidth)
    const answer = await fetch(`${origin}${path}${width === bundleWidth ? '' : `.p/${width}`}`)
    const bundle = Buffer.from(await answer.arrayBuffer())
    for (let at = 0; at < bundle.length; ) {
      const end = at + 2 + bundle.readUInt16BE(at)
      texts.push(bundle.toString('utf8', at + 2, end))
      at = end
    }
  }
  return texts
}

/** Serves the entries while `use` runs, with a checkpoint of the tree of `signed`. */
export async function whileServed<T>(
  texts: readonly string[],
  use: (origin: string) => Promise<T>,
  signed: readonly string[] = texts,
): Promise<T> {
  const leaves = texts.map((text) => Buffer.from(text))
  const root = rootOf(signed.map((text) => Buffer.from(text))).toString('base64')
  const checkpoint = `liar.example\n${leaves.length}\n${root}\n\n— liar.example AA==\n`
  const answers = new Map<string, Buffer>([['/log/checkpoint', Buffer.from(checkpoint)]])
  for (let first = 0; first < leaves.length; first += bundleWidth) {
    const bundle = leaves.slice(first, first + bundleWidth)
    const partial = bundle.length === bundleWidth ? '' : `.p/${bundle.length}`
    answers.set(`${pathOf(first / bundleWidth)}${partial}`, bundleOf(bundle))
  }
  const server = createServer((request, response) => {
    const body = answers.get(request.url ?? '')
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
