// Bodies that are too large, too deep or too many: refused before they cost anything.

import { connect } from 'node:net'
import { bodyBytesMax } from '@redpack/contract/limits'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from './deps.ts'
import { useListeningServer } from './listening-server.ts'
import { addressOf, type Place, placesOf } from './registered-endpoints.ts'

const w = useListeningServer({ SEED_DEMO: 'off' })
const mebibyte = 1024 * 1024

/** Sends these texts and answers the first line and the code of what comes back. */
function raw(...texts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const finish = () => {
      const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? ''
      resolve(`${answer.slice(9, 12)} ${code}`)
      socket.destroy()
    }
    const socket = connect(Number(new URL(w.origin).port), '127.0.0.1', () => {
      for (const text of texts) socket.write(text)
    })
    socket.on('data', (bytes) => {
      answer += bytes.toString()
      if (answer.includes('"code":')) finish()
    })
    // A server that refuses may close while it is still being written to.
    socket.on('error', () => (answer === '' ? reject(new Error('no answer')) : finish()))
    socket.on('close', finish)
  })
}

function head(place: Pick<Place, 'method'>, path: string, ...headers: string[]): string {
  const lines = [`${place.method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers]
  return [...lines, 'Content-Type: application/json', '', ''].join('\r\n')
}

const announced = (bytes: number) => `Content-Length: ${bytes}`

const writes = (...access: readonly string[]) =>
  placesOf(w.t.app).served.filter(
    ({ method, endpoint }) => method !== 'GET' && access.includes(endpoint.access),
  )

describe('who may not call', () => {
  it('is refused on the head of the request alone: the body is never waited for', async () => {
    const closed = writes('viewer', 'staff', 'operator')
    expect(closed.length).toBeGreaterThan(50)
    for (const place of closed) {
      const answer = await raw(head(place, addressOf(place), announced(10 * mebibyte)))
      expect([place.path, answer]).toEqual([place.path, '401 unauthorized'])
    }
  }, 60_000)
})

describe('who needs no session', () => {
  it('is refused a large body as soon as its length is known', async () => {
    const open = writes('public', 'signature')
    expect(open.map(({ path }) => path)).toContain('/api/auth/local')
    const paths = [...open.map(addressOf), '/api/nothing', '/nothing', '/sandbox/control/clock']
    for (const path of paths) {
      const limit = path.startsWith('/sandbox/') ? mebibyte : bodyBytesMax.message
      const answer = await raw(head({ method: 'POST' }, path, announced(limit + 1)))
      expect([path, answer]).toEqual([path, '413 payload_too_large'])
    }
  }, 60_000)

  it('is refused a large body that does not say its length', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    for (const path of ['/api/auth/local', '/api/auth/logout', '/api/nothing']) {
      const first = head({ method: 'POST' }, path, 'Transfer-Encoding: chunked')
      expect([path, await raw(first, chunk, chunk)]).toEqual([path, '413 payload_too_large'])
    }
    for (const path of ['/api/twitch/eventsub', '/api/discord/interactions']) {
      const first = head({ method: 'POST' }, path, 'Transfer-Encoding: chunked')
      const chunks = [chunk, chunk, chunk, chunk, chunk]
      expect([path, await raw(first, ...chunks)]).toEqual([path, '413 payload_too_large'])
    }
  })
})

describe('who may call', () => {
  let ana: Person
  let boss: Person
  beforeEach(async () => {
    ana = await w.t.person('ana')
    boss = await w.t.person('boss', { role: 'admin' })
  })
  const json = { 'content-type': 'application/json' }
  const outcome = async (who: Person, method: 'POST' | 'PUT', path: string, body: string) => {
    const answer = await who.send(method, path, body, json)
    expect(answer.body.length).toBeLessThan(5_000)
    return [answer.statusCode, answer.json().message]
  }

  it('is refused at the limit of the call, which is small for players', async () => {
    for (const place of writes('viewer')) {
      const limit = announced(bodyBytesMax.fields + 1)
      const cookie = `Cookie: ${ana.cookie}`
      const answer = await raw(head(place, addressOf(place), limit, cookie))
      expect([place.path, answer]).toEqual([place.path, '413 payload_too_large'])
    }
  })

  it('is refused ten million numbers before they are read', async () => {
    const numbers = `[${'1,'.repeat(5_000_000 - 20)}1]`
    const packTypes = `{"name":"Hoodie","packTypeIds":${numbers}}`
    const usernames = `{"packTypeId":1,"quantity":1,"usernames":[${'"a",'.repeat(1_000_000)}"a"]}`
    const tooMany = [413, 'The request body holds too many values']
    expect(await outcome(boss, 'POST', '/api/admin/prizes', packTypes)).toEqual(tooMany)
    expect(await outcome(boss, 'POST', '/api/admin/distribute-packs', usernames)).toEqual(tooMany)
    const fewer = `{"name":"x","addressLines":[${'1,'.repeat(4_500)}1]}`
    const delivery = '/api/user/prize-claims/PR-1/delivery'
    expect(await outcome(ana, 'PUT', delivery, fewer)).toEqual(tooMany)
  })

  it('is not waited for while a form without a length goes on and on', async () => {
    const start = [
      'POST /api/upload/image HTTP/1.1',
      'Host: 127.0.0.1',
      `Cookie: ${boss.cookie}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Transfer-Encoding: chunked',
    ].join('\r\n')
    const form = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
    const chunk = `100000\r\n${'x'.repeat(mebibyte)}\r\n`
    const first = `${start}\r\n\r\n${form.length.toString(16)}\r\n${form}\r\n`
    // The form never ends: whoever waited for its end would not answer.
    expect(await raw(first, ...Array.from({ length: 7 }, () => chunk))).toBe(
      '413 payload_too_large',
    )
  })

  it('is told of the first problems and not of every one', async () => {
    const ids = Array.from({ length: 9_000 }, () => 'x')
    const answer = await boss.send('POST', '/api/admin/prize-claims/restore', { ids })
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'Invalid id'])
    expect(answer.json().errors).toHaveLength(20)
  })
})
