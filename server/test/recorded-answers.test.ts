// Nothing changes what the wire answers by accident: every answer of a story is compared with the
// kept one byte for byte. A change on purpose is recorded anew with
// `RECORD_ANSWERS=1 npx vitest run server/test/recorded-answers.test.ts`, and is read as a diff.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { testNow } from '../../tools/test-clock.ts'
import { createTestDeps, type TestDeps } from './deps.ts'
import { freePort } from './product-process.ts'
import type { RecordedAnswer, Sent } from './recorded-callers.ts'
import { keeperName, keeperPassword, tellStory } from './recorded-scenario.ts'
import { embeddedTestDatabase } from './test-database.ts'

const file = join(import.meta.dirname, 'fixtures/recorded-answers.jsonl')
const started = new Date('2026-01-05T12:00:00.000Z')
let t: TestDeps
let origin: string

beforeEach(async () => {
  // The embedded database asks the same clock, so its times stand as well.
  vi.setSystemTime(started)
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  t = await createTestDeps(await embeddedTestDatabase(), {
    PORT: String(port),
    SEED_DEMO: 'off',
    LOCAL_ADMIN_USERNAME: keeperName,
    LOCAL_ADMIN_PASSWORD: keeperPassword,
  })
  let drawn = 0
  const counted = (count: number) => {
    drawn += 1
    return Buffer.from(drawn.toString(16).padStart(count * 2, '0'), 'hex')
  }
  Object.assign(t.dice, { bytes: counted, serverSeed: () => counted(32) })
  await t.app.listen({ port, host: '127.0.0.1' })
})
afterAll(() => t.close())

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Replaces what chance, the machine or the port decides; the same value gets the same mark. */
function masking(): (text: string) => string {
  const seen = new Map<string, string>()
  const mark = (word: string) => (value: string) => {
    if (!seen.has(value)) seen.set(value, `<${word} ${seen.size + 1}>`)
    return seen.get(value) ?? ''
  }
  return (text) =>
    text
      .replaceAll(origin, 'http://origin.test')
      .replace(uuid, mark('uuid'))
      .replace(/batch-[0-9a-f]{8}\.csv/g, 'batch-<start>.csv')
      .replace(/••••••••[^"]{4}/g, '••••••••<end>')
      .replace(/("(?:secret|otpauthUrl|messageId)":)"[^"]*"/g, '$1"<random>"')
      .replace(/("serverHealth":)\{.*?\}\}/g, '$1"<machine>"')
      .replace(/("(?:accessToken|refreshToken)":)"(?!•)[^"]*"/g, '$1"<random>"')
}

function kept(mask: (text: string) => string) {
  const answers: RecordedAnswer[] = []
  const keep = (
    role: string,
    method: string,
    path: string,
    sent: Sent,
    answer: LightMyRequestResponse,
  ) => {
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    const names = cookies.map((line) => line.split('=')[0])
    const only = ['content-type', 'cache-control', 'content-disposition', 'idempotency-replayed']
    const headers = Object.fromEntries([
      ...only.flatMap((name) => (name in answer.headers ? [[name, answer.headers[name]]] : [])),
      ...('etag' in answer.headers ? [['etag', true]] : []),
      ...(names.length === 0 ? [] : [['set-cookie', names]]),
    ])
    const text = Buffer.isBuffer(sent.body) ? sent.body.toString('latin1') : sent.body
    const line = { role, method, path, key: sent.key, sent: text, status: answer.statusCode }
    const body = mask(answer.body)
    answers.push({ ...JSON.parse(mask(JSON.stringify({ ...line, headers }))), body })
  }
  return { answers, keep }
}

it('answers every call of the story as it was recorded, byte for byte', async () => {
  const { answers, keep } = kept(masking())
  await tellStory(
    {
      inject: (options) => t.app.inject(options) as Promise<LightMyRequestResponse>,
      person: (name, start) => t.person(name, start),
      advance: (seconds) => vi.setSystemTime(testNow() + seconds * 1_000),
      async control(path, body) {
        const answer = await t.visitor.send('POST', `/sandbox/control/${path}`, body as object)
        return answer.json()
      },
    },
    keep,
  )
  const lines = answers.map((answer) => JSON.stringify(answer))
  if (process.env['RECORD_ANSWERS'] === '1') await writeFile(file, `${lines.join('\n')}\n`)
  const recorded = (await readFile(file, 'utf8')).trimEnd().split('\n')
  // One call at a time, so that a difference is shown with the call that makes it.
  for (const [index, line] of lines.entries()) expect(line).toBe(recorded[index])
  expect(recorded).toHaveLength(lines.length)
}, 120_000)
