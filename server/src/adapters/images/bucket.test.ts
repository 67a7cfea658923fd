// What is said to a bucket, and what happens when it is not there.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Unavailable } from '../../shared/domain-error.ts'
import { openBucket } from './bucket.ts'

let server: Server | undefined
afterEach(() => server?.close())

interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A bucket that answers with `status` and remembers what it was asked. */
async function bucketThat(status: number, body = '') {
  const asked: Asked[] = []
  server = createServer(async (request, response) => {
    let sent = ''
    for await (const chunk of request) sent += chunk
    asked.push({ method: request.method, url: request.url, headers: request.headers, body: sent })
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bucket = openBucket({
    endpoint: `http://127.0.0.1:${port}`,
    name: 'pictures',
    region: 'eu-central-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  })
  return { bucket, asked }
}

describe('a bucket', () => {
  it('gets an object under its name, signed and with its type', async () => {
    const { bucket, asked } = await bucketThat(200)
    await bucket.put('abc.webp', 'image/webp', Buffer.from('bytes'))
    expect(asked).toMatchObject([{ method: 'PUT', url: '/pictures/abc.webp', body: 'bytes' }])
    const { headers } = asked[0]!
    expect(headers['content-type']).toBe('image/webp')
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-central-1\/s3\/aws4_request, /,
    )
    expect(JSON.stringify(headers)).not.toContain('secret')
  })

  it('answers an object, or nothing when there is none', async () => {
    const { bucket } = await bucketThat(200, 'bytes')
    expect((await bucket.get('abc.webp'))?.toString()).toBe('bytes')
    server?.close()
    const empty = await bucketThat(404)
    expect(await empty.bucket.get('abc.webp')).toBeUndefined()
  })

  it.each([403, 404])('that answers %i to a new object is unavailable', async (status) => {
    const { bucket } = await bucketThat(status)
    const put = bucket.put('abc.webp', 'image/webp', Buffer.from('bytes'))
    await expect(put).rejects.toBeInstanceOf(Unavailable)
  })

  it('that fails for a moment is asked again, and is unavailable after three times', async () => {
    const { bucket, asked } = await bucketThat(500)
    await expect(bucket.get('abc.webp')).rejects.toThrow('Pictures cannot be reached right now')
    expect(asked).toHaveLength(3)
  })

  it('that nobody answers for is unavailable', async () => {
    const { bucket } = await bucketThat(200)
    await new Promise((resolve) => server?.close(resolve))
    await expect(bucket.get('abc.webp')).rejects.toBeInstanceOf(Unavailable)
  })
})
