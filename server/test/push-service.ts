// A push service of the tests' own, with browsers behind it: it proves the sender (RFC 8292) and
// opens what was sealed for a browser (RFC 8291 and 8188), with nothing but the platform's hands.

import { createDecipheriv, createECDH, createPublicKey, hash, hkdfSync, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { listenLocally } from './local-server.ts'

export interface Shown {
  readonly title: string
  readonly body: string
  readonly path: string
  readonly tag: string
}

export interface TestBrowser {
  /** As the browser hands it to the page. */
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** What arrived, opened, in its order. */
  readonly shown: Shown[]
  /** What the service answers from now on; 0 closes after it has taken the message. */
  status: number
  /** What it says of when to ask again. */
  retryAfter: string | undefined
}

export interface PushService {
  /** Begins the address of every browser. */
  readonly url: string
  browser(name: string): TestBrowser
  close(): Promise<void>
}

/** `publicKey` is the one with which browsers have subscribed. */
export async function pushService(publicKey: () => string): Promise<PushService> {
  const browsers = new Map<string, TestBrowser & { open(sealed: Buffer): string }>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const browser = browsers.get(request.url ?? '')
    const { authorization = '', ttl, 'content-encoding': encoding } = request.headers
    if (browser === undefined || !isSender(authorization, publicKey(), url)) {
      response.statusCode = browser === undefined ? 404 : 403
      return void response.end()
    }
    if (browser.status === 0 || browser.status === 201) {
      if (encoding !== 'aes128gcm' || !(Number(ttl) > 0)) throw new Error('Not as RFC 8030 wants')
      browser.shown.push(JSON.parse(browser.open(Buffer.concat(parts))) as Shown)
    }
    if (browser.status === 0) return void request.socket.destroy()
    response.statusCode = browser.status
    if (browser.retryAfter !== undefined) response.setHeader('retry-after', browser.retryAfter)
    response.end()
  })
  const { port, close } = await listenLocally(server)
  const url = `http://127.0.0.1:${port}`
  return {
    url: `${url}/`,
    browser(name) {
      const pair = createECDH('prime256v1')
      pair.setPrivateKey(hash('sha256', name, 'buffer'))
      const p256dh = pair.getPublicKey('base64url')
      const auth = hash('sha256', `${name}'s secret`, 'buffer').subarray(0, 16)
      const browser = {
        subscription: {
          endpoint: `${url}/${name}`,
          keys: { p256dh, auth: auth.toString('base64url') },
        },
        shown: [],
        status: 201,
        retryAfter: undefined,
        open: (sealed: Buffer) => opened(sealed, pair, auth),
      }
      browsers.set(`/${name}`, browser)
      return browser
    },
    close,
  }
}

/** What stands before the 65 bytes of a point in its SPKI form (RFC 5480). */
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')

/** The token is signed with the key that the browser has subscribed with, and meant for us. */
function isSender(authorization: string, publicKey: string, audience: string): boolean {
  const [, head = '', claims = '', mark = '', key] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const der = Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'base64url')])
  const pem = {
    key: createPublicKey({ key: der, format: 'der', type: 'spki' }),
    dsaEncoding: 'ieee-p1363',
  } as const
  const { aud, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    pem,
    Buffer.from(mark, 'base64url'),
  )
  return isSigned && key === publicKey && aud === audience && /^(mailto|https):/.test(sub)
}

/** What was sealed for the browser with these keys. */
export function opened(sealed: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, idLength] = [sealed.subarray(0, 16), sealed.readUInt8(20)]
  const sender = sealed.subarray(21, 21 + idLength)
  const hkdf = (key: Buffer, salted: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salted, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const key = hkdf(pair.computeSecret(sender), auth, info, 32)
  const record = sealed.subarray(21 + idLength)
  const aes = hkdf(key, salt, 'Content-Encoding: aes128gcm\0', 16)
  const decipher = createDecipheriv(
    'aes-128-gcm',
    aes,
    hkdf(key, salt, 'Content-Encoding: nonce\0', 12),
  )
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The last record ends with a 2 and zeros.
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}
