// Calls whose body comes long after their head: what counts is who may call when all of it is here.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Person } from './deps.ts'
import { useListeningDeps } from './listening-server.ts'

const { t, origin } = await useListeningDeps({ SEED_DEMO: 'off' })

/** A call without the last byte of its body, and the answer once that byte is sent. */
async function heldBack(person: Person, path: string, fields: object) {
  const body = JSON.stringify(fields)
  const call = request(`${origin}${path}`, {
    method: 'PUT',
    headers: {
      cookie: person.cookie,
      'content-type': 'application/json',
      'content-length': String(body.length),
    },
  })
  const answer = once(call, 'response') as Promise<[IncomingMessage]>
  await new Promise((resolve) => call.write(body.slice(0, -1), resolve))
  // By when the head, which came before, was let in.
  await fetch(`${origin}/health/live`)
  return async () => {
    call.end(body.slice(-1))
    const [response] = await answer
    return [response.statusCode, JSON.parse(await text(response)).code] as const
  }
}

describe('a body that was held back', () => {
  it('changes nothing for a member of staff who was demoted meanwhile', async () => {
    const boss = await t.person('boss', { role: 'super_user' })
    const other = await t.person('other', { role: 'super_user' })
    const friend = await t.person('friend')
    const send = await heldBack(boss, `/api/admin/users/${friend.id}/role`, { role: 'super_user' })
    const demoted = await other.send('PUT', `/api/admin/users/${boss.id}/role`, { role: 'user' })
    expect(demoted.statusCode).toBe(200)
    expect(await send()).toEqual([401, 'unauthorized'])
    const roles = await t.rows('SELECT role FROM users WHERE id = $1', [friend.id])
    expect(roles).toEqual([{ role: 'user' }])
  })

  it('changes nothing for a session that was ended meanwhile', async () => {
    const ana = await t.person('ana')
    const send = await heldBack(ana, '/api/user/profile', { displayName: 'Somebody else' })
    expect((await ana.send('POST', '/api/auth/logout-everywhere')).statusCode).toBe(200)
    expect(await send()).toEqual([401, 'unauthorized'])
    const names = await t.rows('SELECT display_name FROM users WHERE id = $1', [ana.id])
    expect(names).toEqual([{ display_name: 'ana' }])
  })
})
