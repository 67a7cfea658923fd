// Files that are made while they are sent, so that none has to fit into memory.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A CSV file whose first line names the columns (RFC 4180, RFC 7111). */
export const csvType = 'text/csv; charset=utf-8; header=present'

export interface StreamedFile {
  readonly type: string
  /** Plain ASCII, since it stands in a header. */
  readonly fileName: string
}

/**
 * Sends text piece by piece as a download. The next piece is made when the last one has been taken;
 * a failure before the first is answered like any other, a later one cuts the connection.
 */
export function sendFile(
  reply: FastifyReply,
  { type, fileName }: StreamedFile,
  pieces: AsyncIterable<string>,
): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    })
    .send(Readable.from(pieces))
}
