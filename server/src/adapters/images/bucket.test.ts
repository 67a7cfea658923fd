// What is said to a bucket, and what happens when it is not there.

import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { Unavailable } from '../../shared/domain-error.ts'
import { useStubService } from '../outbound/stub-service.fixture.ts'
import { openBucket } from './bucket.ts'

const stub = useStubService()
let sent = ''

/** A bucket that answers with `status` and keeps what it was sent last. */
function bucketThat(status: number, body = '') {
  stub.routes['/pictures/abc.webp'] = async (request, response) => {
    sent = await text(request)
    response.writeHead(status).end(body)
  }
  return bucketAt(stub.origin)
}

const bucketAt = (endpoint: string) =>
  openBucket({
    endpoint,
    name: 'pictures',
    region: 'eu-central-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  })

describe('a bucket', () => {
  it('gets an object under its name, signed and with its type', async () => {
    await bucketThat(200).put('abc.webp', 'image/webp', Buffer.from('bytes'))
    expect(sent).toBe('bytes')
    expect(stub.seen).toMatchObject([{ method: 'PUT' }])
    const { headers } = stub.seen[0]!
    expect(headers['content-type']).toBe('image/webp')
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-central-1\/s3\/aws4_request, /,
    )
    expect(JSON.stringify(headers)).not.toContain('secret')
  })

  it('answers an object, or nothing when there is none', async () => {
    expect(String(await bucketThat(200, 'bytes').get('abc.webp'))).toBe('bytes')
    expect(await bucketThat(404).get('abc.webp')).toBeUndefined()
  })

  it.each([403, 404])('that answers %i to a new object is unavailable', async (status) => {
    const put = bucketThat(status).put('abc.webp', 'image/webp', Buffer.from('bytes'))
    await expect(put).rejects.toBeInstanceOf(Unavailable)
  })

  it('that fails for a moment is asked again, and is unavailable after three times', async () => {
    const answer = bucketThat(500).get('abc.webp')
    await expect(answer).rejects.toThrow('Pictures cannot be reached right now')
    expect(stub.seen).toHaveLength(3)
  })

  it('that nobody answers for is unavailable', async () => {
    const answer = bucketAt('http://127.0.0.1:9').get('abc.webp')
    await expect(answer).rejects.toBeInstanceOf(Unavailable)
  })
})
