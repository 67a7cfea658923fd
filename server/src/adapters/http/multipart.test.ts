// Forms with a file: what reaches the handler, what is refused, and that nothing breaks the server.

import { Readable } from 'node:stream'
import type { EndpointShape } from '@redpack/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { coded } from '../../../test/deps.ts'
import { boundary, type FormPart, formBody } from '../../../test/forms.ts'
import { type RouteGuards, serve } from './endpoint-routes.ts'
import { acceptMultipart } from './multipart.ts'
import { answerError } from './problem-answers.ts'

const guards: RouteGuards = {
  authenticate: async () => undefined,
  limit: async () => undefined,
  inTurn: (_actor, work) => work(),
  isOperator: () => false,
  requireForEverybody: async () => undefined,
  requireNotSuspended: () => undefined,
  sessionEnds: async () => new Map(),
  endedSessions: async () => undefined,
}

const form: EndpointShape = {
  method: 'POST',
  path: '/form',
  access: 'public',
  summary: 'A form.',
  bodyKind: 'multipart',
  bodyLimit: 'file',
  body: z.record(z.string(), z.unknown()),
  file: { field: 'image', isRequired: true },
  response: z.object({
    body: z.string(),
    name: z.optional(z.string()),
    type: z.optional(z.string()),
    bytes: z.optional(z.string()),
    length: z.nullable(z.int()),
  }),
  domainErrors: [],
  rate: 'upload',
}

const optional: EndpointShape = {
  ...form,
  path: '/either',
  bodyKind: 'json-or-multipart',
  file: { field: 'image', isRequired: false },
}
const named: EndpointShape = {
  ...form,
  path: '/named',
  file: { field: 'csv', isRequired: true, missing: 'A CSV file, please' },
}
const json: EndpointShape = { ...form, path: '/json', bodyKind: 'json', file: undefined }

let app: FastifyInstance

beforeEach(async () => {
  app = Fastify()
  app.setErrorHandler(answerError)
  await acceptMultipart(app)
  for (const each of [form, optional, named, json]) {
    serve(app, guards, each, async ({ body, file }) => ({
      body: JSON.stringify(body),
      ...(file === undefined
        ? {}
        : { name: file.name, type: file.type, bytes: file.bytes.toString('hex').slice(0, 40) }),
      length: file?.bytes.length ?? null,
    }))
  }
  await app.ready()
})
afterEach(() => app.close())

const encode = (parts: readonly FormPart[]) => formBody(parts).body

const post = (
  url: string,
  payload: Buffer | string,
  type = `multipart/form-data; boundary=${boundary}`,
) => app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })

const picture = {
  name: 'image',
  fileName: 'a.png',
  type: 'image/PNG',
  value: Buffer.from([0, 255]),
}
const refused = async (answer: ReturnType<typeof post>) => {
  const { statusCode, json } = await answer
  return [statusCode, json().code, json().message]
}

describe('a form', () => {
  it('reaches the handler as an object of texts with the bytes of its file', async () => {
    const fields = [
      { name: 'name', value: 'Gold — “pack”' },
      { name: 'packTypeId', value: '7' },
    ]
    const answer = await post('/form', encode([...fields, picture]))
    expect(answer.json()).toEqual({
      body: JSON.stringify({ name: 'Gold — “pack”', packTypeId: '7' }),
      name: 'a.png',
      type: 'image/png',
      bytes: '00ff',
      length: 2,
    })
  })

  it('gives its first file whatever the field is called, and passes over the others', async () => {
    const second = { ...picture, name: 'image', fileName: 'b.png', value: Buffer.alloc(2 ** 20) }
    const answer = await post('/form', encode([{ ...picture, name: 'csvFile' }, second, second]))
    expect(answer.json()).toMatchObject({ name: 'a.png', length: 2 })
  })

  it('may have fields after its file', async () => {
    const answer = await post('/form', encode([picture, { name: 'icon', value: 'gem' }]))
    expect(answer.json()).toMatchObject({ body: '{"icon":"gem"}', length: 2 })
  })

  it('without a file is refused where one is needed, in the words of the endpoint', async () => {
    const nothing = encode([{ name: 'a', value: 'b' }])
    const emptyInput = encode([{ ...picture, fileName: '', value: '' }])
    for (const body of [nothing, emptyInput]) {
      expect(await refused(post('/form', body))).toEqual([
        400,
        'invalid_input',
        'Please select a file',
      ])
      expect((await refused(post('/named', body)))[2]).toBe('A CSV file, please')
      expect((await post('/either', body)).statusCode).toBe(200)
    }
  })

  it('or JSON is taken where the endpoint says either', async () => {
    const answer = await app.inject({ method: 'POST', url: '/either', payload: { a: 1 } })
    expect(answer.json()).toEqual({ body: '{"a":1}', length: null })
    expect((await post('/either', encode([picture]))).json()).toMatchObject({ length: 2 })
  })
})

describe('limits', () => {
  it('let a file have 5 MB and not a byte more', async () => {
    const limit = 5 * 1024 * 1024
    const exact = await post('/form', encode([{ ...picture, value: Buffer.alloc(limit) }]))
    expect(exact.json().length).toBe(limit)
    const over = post('/form', encode([{ ...picture, value: Buffer.alloc(limit + 1) }]))
    expect(await refused(over)).toEqual([
      413,
      'payload_too_large',
      'The file must be 5 MB or smaller',
    ])
  })

  it('hold for the number of fields, of files, for their names and their length', async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `f${index}`, value: 'x' }))
    expect((await post('/form', encode([...fields(30), picture]))).statusCode).toBe(200)
    const tooMuch = [
      [...fields(31), picture],
      Array.from({ length: 6 }, () => picture),
      [{ name: 'long', value: 'x'.repeat(32 * 1024 + 1) }, picture],
      [{ name: 'n'.repeat(101), value: 'x' }, picture],
    ]
    for (const parts of tooMuch) {
      expect((await post('/form', encode(parts))).statusCode).toBe(413)
    }
  })
})

describe('a form that does not say its length', () => {
  const sent = (pieces: () => Generator<Buffer | string>) =>
    app.inject({
      method: 'POST',
      url: '/form',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: Readable.from(pieces()),
    })

  it('is read when it is small enough', async () => {
    const whole = encode([picture])
    const answer = await sent(function* () {
      yield whole.subarray(0, 40)
      yield whole.subarray(40)
    })
    expect(answer.json()).toMatchObject({ length: 2 })
  })
})

describe('what is no form for the endpoint', () => {
  it.each([
    ['/form', 'application/json', '{}'],
    ['/form', 'text/csv', 'a,b'],
    ['/form', 'multipart/mixed; boundary=x', '--x--'],
    ['/json', `multipart/form-data; boundary=${boundary}`, encode([picture])],
  ])('%s refuses %s with 415', async (url, type, payload) => {
    expect((await post(url, payload, type)).statusCode).toBe(415)
  })

  it('is refused with 415 when nothing was sent at all', async () => {
    expect((await app.inject({ method: 'POST', url: '/form' })).statusCode).toBe(415)
  })

  const whole = encode([{ name: 'name', value: 'x' }, picture])
  it.each<[string, Buffer | string, string?]>([
    ['without boundary', whole, 'multipart/form-data'],
    ['with an empty boundary', whole, 'multipart/form-data; boundary='],
    ['with another boundary', whole, 'multipart/form-data; boundary=other'],
    ['cut in its head', whole.subarray(0, 30)],
    ['cut in its field', whole.subarray(0, 80)],
    ['cut in its file', whole.subarray(0, whole.length - 25)],
    ['that is not one', 'hello'],
    ['of zeros', Buffer.alloc(100)],
    ['with a field called __proto__', encode([{ name: '__proto__', value: 'x' }, picture])],
    ['with a field called constructor', encode([{ name: 'constructor', value: 'x' }, picture])],
    ['with a file called toString', encode([{ ...picture, name: 'toString' }])],
    ['with JSON that is none', encode([{ name: 'a', value: '{', type: 'application/json' }])],
    ['with a field twice', encode([{ name: 'a', value: '1' }, { name: 'a', value: '2' }, picture])],
  ])('a form %s is refused with 400', async (_what, payload, type) => {
    expect(await coded(post('/form', payload, type))).toBe('400 invalid_input')
  })

  it('never breaks the server, wherever a byte is wrong or missing', async () => {
    for (let at = 0; at < whole.length; at += 3) {
      const broken = Buffer.from(whole)
      broken[at] = (broken[at] ?? 0) ^ 0xff
      for (const payload of [broken, whole.subarray(0, at)]) {
        expect([200, 400, 413]).toContain((await post('/form', payload)).statusCode)
      }
    }
    expect((await post('/form', whole)).statusCode).toBe(200)
  })
})
