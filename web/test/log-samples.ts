// A pretend server of a public log.

import { verifierKeyText } from '@redpack/fair/notes'
import { parseTileName } from '@redpack/fair/tree'
import { HttpResponse, http } from 'msw'
import type { SignedLog } from '../../fair/src/sample-log.fixture.ts'

/** Serves a log as the server does; what is asked for is the log at that moment. */
export function servesLog(current: () => SignedLog) {
  return [
    http.get('/log/checkpoint', () => new HttpResponse(current().checkpoint())),
    http.get('/log/key', () => new HttpResponse(`${verifierKeyText(current().key)}\n`)),
    http.get('/log/tile/*', ({ request }) => {
      const name = parseTileName(new URL(request.url).pathname.replace('/log/tile/', ''))
      return new HttpResponse(name && new Uint8Array(current().tile(name)))
    }),
  ]
}
