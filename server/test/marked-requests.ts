// Requests in which every text carries a mark: body, path, query, headers, cookies, files.

import type { FastifyInstance, InjectOptions } from 'fastify'
import * as z from 'zod/mini'
import { csvForm } from './csv-form.ts'
import type { Place } from './registered-endpoints.ts'

export const mark = 'kanari'
export const address = '198.51.100.77'

type JsonSchema = { readonly [key: string]: unknown }

/** A value that fits the schema as far as one without patterns can, with the mark in every text. */
function marked(schema: JsonSchema): unknown {
  const branches = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as JsonSchema[]
  if (branches !== undefined) return marked(branches[0] ?? {})
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (schema['const'] !== undefined) return schema['const']
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1
    case 'boolean':
      return true
    case 'array':
      return [marked((schema['items'] ?? {}) as JsonSchema)]
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(
          ([name, inner]) => [name, marked(inner)],
        ),
      )
    default:
      return `${mark}@example.org`
  }
}

const bodyOf = ({ endpoint }: Place): unknown =>
  endpoint.body === undefined
    ? undefined
    : marked(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema)

const secretHeaders = {
  'user-agent': mark,
  'idempotency-key': `${mark}-key`,
  authorization: `Bearer ${mark}`,
  referer: `https://example.org/?${mark}`,
  'x-forwarded-for': `${mark}, ${address}`,
  'x-forwarded-host': mark,
}

/** A file that breaks off ends its connection; the line about it is what counts. */
async function call(app: FastifyInstance, request: InjectOptions): Promise<void> {
  await app.inject(request).catch(() => undefined)
}

export async function sendMarked(
  app: FastifyInstance,
  place: Place,
  cookie: string,
  id: string,
): Promise<void> {
  const names = ['search', 'token', 'code', 'state', 'error', 'page', 'timezone', 'type']
  const query = names.map((name) => `${name}=${mark}-${name}`).join('&')
  const url = `${place.path.replace(/\{\w+\}/g, id)}?${query}`
  const headers = { ...secretHeaders, cookie: `${cookie}; other=${mark}` }
  const body = bodyOf(place)
  const common = { method: place.method as 'POST', url, remoteAddress: address }
  const { endpoint } = place
  const isForm = endpoint.bodyKind === 'multipart' || endpoint.bodyKind === 'json-or-multipart'
  if (isForm) {
    const form = csvForm(`username,amount\n${mark},1\n${mark}-viewer,2\n`, {
      fileName: `${mark}.csv`,
      fields: { amount: '1', description: mark, reason: mark },
    })
    await call(app, {
      ...common,
      payload: form.payload,
      headers: { ...headers, ...form.headers },
    })
    const broken = form.payload.subarray(0, form.payload.length - 30)
    await call(app, { ...common, payload: broken, headers: { ...headers, ...form.headers } })
  }
  await call(app, {
    ...common,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  if (body === undefined) return
  const json = { ...headers, 'content-type': 'application/json' }
  await call(app, { ...common, headers: json, payload: `{"a": ${mark}` })
}
