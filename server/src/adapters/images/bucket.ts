// A bucket of an S3-compatible service: one object per picture, named by its content.

import { AwsClient } from 'aws4fetch'
import type { BucketSettings } from '../../config/config.ts'
import { Unavailable } from '../../shared/domain-error.ts'

export type Bucket = ReturnType<typeof openBucket>

const timeoutMillis = 10_000
const retriesMax = 2

/** Speaks with the bucket by paths below the endpoint, which every such service understands. */
export function openBucket(settings: BucketSettings) {
  const { accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: retriesMax,
  })
  const call = async (key: string, init: RequestInit) => {
    const url = `${settings.endpoint}/${settings.name}/${encodeURIComponent(key)}`
    try {
      const signal = AbortSignal.timeout(timeoutMillis)
      const response = await client.fetch(url, { ...init, redirect: 'error', signal })
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.ok || response.status === 404) return { status: response.status, bytes }
      throw new Error(`The bucket answered ${response.status}`)
    } catch (cause) {
      throw new Unavailable('Pictures cannot be reached right now', { cause })
    }
  }
  return {
    /** Stores an object; storing it again changes nothing. @throws Unavailable */
    async put(key: string, type: string, bytes: Buffer): Promise<void> {
      const headers = { 'content-type': type, 'content-length': String(bytes.length) }
      const { status } = await call(key, { method: 'PUT', headers, body: new Uint8Array(bytes) })
      if (status === 404) {
        throw new Unavailable('Pictures cannot be reached right now', {
          cause: new Error('There is no such bucket'),
        })
      }
    },
    /** Undefined when there is no such object. @throws Unavailable */
    async get(key: string): Promise<Buffer | undefined> {
      const { status, bytes } = await call(key, { method: 'GET' })
      return status === 404 ? undefined : bytes
    },
  }
}
