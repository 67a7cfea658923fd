// A pretend server of a public log.

import { verifierKeyText } from '@redpack/fair/notes'
import { parseTileName, tileWidthAt } from '@redpack/fair/tree'
import { HttpResponse, http } from 'msw'
import type { SignedLog } from '../../fair/src/sample-log.fixture.ts'

/** Serves a log as the server does; what is asked for is the log at that moment. */
export function servesLog(current: () => SignedLog) {
  return [
    http.get('/log/checkpoint', () => new HttpResponse(current().checkpoint())),
    http.get('/log/key', () => new HttpResponse(`${verifierKeyText(current().key)}\n`)),
    http.get('/log/tile/*', ({ request }) => tileOf(current(), request.url)),
  ]
}

/** A tile of a log as the server answers it. */
export function tileOf({ entries, tile }: SignedLog, address: string) {
  const name = parseTileName(new URL(address).pathname.replace('/log/tile/', ''))
  const isThere = name && name.width <= tileWidthAt(entries.length, name)
  return new HttpResponse(isThere ? new Uint8Array(tile(name)) : '', {
    status: isThere ? 200 : 404,
  })
}
