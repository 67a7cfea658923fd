// Bytes that never change under their name: kept in memory up to a bound, compressed once.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

const compress = promisify(gzip)

/** A body, and the same compressed where that makes it smaller. */
export interface ImmutableBytes {
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
}

export async function immutableBytes(
  plain: Buffer,
  isCompressible: boolean,
): Promise<ImmutableBytes> {
  return { plain, gzip: isCompressible ? await compress(plain) : undefined }
}

/** The bodies that were asked for last, as many as fit. */
export class KeptBytes {
  readonly #kept: LRUCache<string, ImmutableBytes>

  constructor(bytesMax: number) {
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: sizeOf })
  }

  get(name: string): ImmutableBytes | undefined {
    return this.#kept.get(name)
  }

  keep(name: string, body: ImmutableBytes): void {
    if (!this.#kept.has(name)) this.#kept.set(name, body)
  }
}

function sizeOf({ plain, gzip: compressed }: ImmutableBytes): number {
  return plain.length + (compressed?.length ?? 0) || 1
}

/** Sends the body, compressed for whoever takes it so. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, gzip: compressed }: ImmutableBytes,
): FastifyReply {
  reply.type('application/octet-stream')
  if (compressed === undefined) return reply.send(plain)
  reply.header('vary', 'accept-encoding')
  const isTaken = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(
    String(request.headers['accept-encoding'] ?? ''),
  )
  return isTaken ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(plain)
}
