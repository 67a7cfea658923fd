// Bytes that never change under their name: kept in memory up to a bound, compressed once.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
  readonly #bytesMax: number
  readonly #kept = new Map<string, ImmutableBytes>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(name: string): ImmutableBytes | undefined {
    const found = this.#kept.get(name)
    if (found === undefined) return undefined
    // The newest stands at the end.
    this.#kept.delete(name)
    this.#kept.set(name, found)
    return found
  }

  keep(name: string, body: ImmutableBytes): void {
    if (this.#kept.has(name)) return
    this.#kept.set(name, body)
    this.#bytes += sizeOf(body)
    for (const [oldest, bytes] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) return
      this.#kept.delete(oldest)
      this.#bytes -= sizeOf(bytes)
    }
  }
}

function sizeOf({ plain, gzip: compressed }: ImmutableBytes): number {
  return plain.length + (compressed?.length ?? 0)
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
