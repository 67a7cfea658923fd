// Guessing codes: a few tries, then waiting.

import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'

const password = 'a long enough password'
const t = useTestDeps({
  SEED_DEMO: 'off',
  RATE_LIMITS: 'on',
  LOCAL_ADMIN_USERNAME: 'keeper',
  LOCAL_ADMIN_PASSWORD: password,
})

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: t.clock.now().getTime() })
const signIn = (remoteAddress: string, code?: string) =>
  t.app.inject({
    method: 'POST',
    url: '/api/auth/local',
    remoteAddress,
    payload: { username: 'keeper', password, ...(code === undefined ? {} : { code }) },
  })

it('ends in a wait for the address, and for the account wherever the guesses come from', async () => {
  const first = await signIn('203.0.113.1')
  const cookie = `sid=${first.cookies[0]!.value}`
  const post = (path: string, payload?: object) =>
    t.app.inject({
      method: 'POST',
      url: `/api/admin/second-factor/${path}`,
      headers: { cookie },
      ...(payload === undefined ? {} : { payload }),
    })
  const { secret } = (await post('enrol')).json()
  for (let guess = 1; guess <= 10; guess += 1) {
    expect((await post('confirm', { code: '000000' })).statusCode).toBe(401)
  }
  const waiting = await post('confirm', { code: codeOf(secret) })
  expect([waiting.statusCode, Number(waiting.headers['retry-after']) > 0]).toEqual([429, true])
  t.clock.advance(900)
  const again = `sid=${(await signIn('203.0.113.1')).cookies[0]!.value}`
  const confirmed = await t.visitor.send(
    'POST',
    '/api/admin/second-factor/confirm',
    { code: codeOf(secret) },
    { cookie: again },
  )
  expect(confirmed.statusCode).toBe(200)
  t.clock.advance(30)

  // Being asked for the code is no failure.
  for (let visit = 1; visit <= 7; visit += 1) {
    expect((await signIn('203.0.113.2')).json().code).toBe('second_factor_required')
  }
  const tries: number[] = []
  for (let guess = 1; guess <= 6; guess += 1) {
    tries.push((await signIn('203.0.113.2', '000000')).statusCode)
  }
  expect(tries).toEqual([401, 401, 401, 401, 401, 429])
  const far: number[] = []
  for (let guess = 1; guess <= 26; guess += 1) {
    far.push((await signIn(`198.51.100.${guess}`, '000000')).statusCode)
  }
  expect(far.filter((status) => status === 401)).toHaveLength(25)
  expect((await signIn('198.51.100.200', codeOf(secret))).statusCode).toBe(429)
  t.clock.advance(900)
  expect((await signIn('198.51.100.200', codeOf(secret))).statusCode).toBe(200)
}, 60_000)
