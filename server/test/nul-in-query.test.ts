// NUL, which no text of the database can hold: a search for it is refused with a sentence.

import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { useTestDeps } from './deps.ts'
import { addressOf, placesOf } from './registered-endpoints.ts'

const sentence = 'The address contains a character that is not allowed'
const t = useTestDeps({ SEED_DEMO: 'off' })

describe('a query value with NUL in it', () => {
  it('is refused by every call that reads the query', async () => {
    const boss = await t.person('boss', { role: 'super_user' })
    const searched = new Set<string>()
    for (const place of placesOf(t.app).served) {
      const { query, response, file } = place.endpoint
      if (query === undefined || response === 'redirect' || file !== undefined) continue
      const ask = (url: string) =>
        t.app.inject({ method: place.method as 'GET', url, headers: { cookie: boss.cookie } })
      const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
      for (const name of Object.keys(properties)) {
        if (name === 'search') searched.add(place.path)
        for (const value of ['%00', 'a%00b', `a&${name}=%00`]) {
          const url = `${addressOf(place)}?${name}=${value}`
          const answer = await ask(url)
          expect([url, answer.statusCode, answer.json().message]).toEqual([url, 400, sentence])
          expect(answer.json().errors).toEqual([{ path: name, message: sentence }])
        }
        // A percent sign of its own, followed by zeros.
        expect((await ask(`${addressOf(place)}?${name}=%2500`)).body).not.toContain(sentence)
      }
    }
    expect(searched.size).toBeGreaterThan(2)
  }, 60_000)

  it('leads back to the page where it comes with a return from a provider', async () => {
    const answer = await t.app.inject('/api/auth/twitch/callback?code=%00&state=%00')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/?authError=state'])
  })
})
