// Requests that nobody honest sends: made from the schema of an endpoint, then spoilt on purpose.

import fc from 'fast-check'
import * as z from 'zod/mini'
import type { Place } from './registered-endpoints.ts'

export interface HostileRequest {
  readonly url: string
  /** Undefined sends no body at all. */
  readonly body: string | undefined
  readonly headers: Record<string, string>
}

type JsonSchema = { readonly [key: string]: unknown }

const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`

/** Values that break programs which trust what they are sent. */
const nastyValues: readonly unknown[] = [
  null,
  true,
  [],
  [5],
  {},
  [[[[[[]]]]]],
  '',
  ' ',
  ' 5 ',
  '0x10',
  '1e3',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\u202eevil',
  '\ufeff',
  "'; DROP TABLE users; --",
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '$1',
  '{{7*7}}',
  'x'.repeat(10_001),
  '👩‍👩‍👧‍👦'.repeat(200),
  'NaN',
  '-0',
  '9'.repeat(400),
  0,
  -0,
  -1,
  1.5,
  50,
  51,
  1e9,
  1e308,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53 - 1),
]

const nasty = fc.constantFrom(...nastyValues)

/** Whole bodies that are no object, no JSON or no text. */
const nastyBodies: readonly string[] = [
  '',
  ' ',
  'null',
  '[]',
  '5',
  '"text"',
  '{',
  '{"a":}',
  '{"a":1}}',
  '\u0000',
  '\ufeff{}',
  deep,
  `{"quantity":${deep}}`,
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '{"quantity":1e999,"packTypeId":1e999}',
  '{"quantity":"\\ud800","packTypeId":"\\u0000"}',
  '{"quantity":1,"quantity":2}',
]

const contentTypes: readonly string[] = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/jsonp',
  '*/*',
  ';',
]

/** A value that fits the JSON Schema, as far as the schema says. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const branches = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as
    | readonly JsonSchema[]
    | undefined
  if (branches !== undefined) return fc.oneof(...branches.map(fitting))
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum'])
  if (schema['const'] !== undefined) return fc.constant(schema['const'])
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(schema['maximum'] ?? 7))
    case 'string':
      return fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('1', 'ana'))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting((schema['items'] ?? {}) as JsonSchema), { maxLength: 3 })
    case 'object':
      return fc.record(fieldsOf(schema), { requiredKeys: requiredOf(schema) })
    default:
      return nasty
  }
}

function fieldsOf(schema: JsonSchema): Record<string, fc.Arbitrary<unknown>> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [
      name,
      fc.oneof({ weight: 3, arbitrary: fitting(inner) }, { weight: 1, arbitrary: nasty }),
    ]),
  )
}

function requiredOf(schema: JsonSchema): string[] {
  return [...((schema['required'] ?? []) as string[])]
}

function jsonSchemaOf(schema: z.ZodMiniType | undefined): JsonSchema {
  if (schema === undefined) return {}
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/**
 * Parsed input for a schema of a request: fitting, spoilt in some fields, or something else
 * altogether.
 */
export function hostileInputs(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const derived = jsonSchemaOf(schema)
  const spoilt = fc.record(fieldsOf(derived), { requiredKeys: [] })
  return fc.oneof({ weight: 6, arbitrary: spoilt }, { weight: 1, arbitrary: nasty })
}

/** Mostly a fitting object with some nasty fields, sometimes no object, sometimes nothing. */
function bodies(place: Place): fc.Arbitrary<string | undefined> {
  const schema = jsonSchemaOf(place.endpoint.body)
  const object = fc.record(
    {
      ...fieldsOf(schema),
      // Fields that must not be taken from a request.
      role: fc.constant('super_user'),
      userId: fc.constantFrom<unknown>(1, 2, null, '2', 2 ** 31),
      redCoinBalance: fc.constant(1_000_000),
    },
    { requiredKeys: [] },
  )
  return fc.oneof(
    { weight: 6, arbitrary: object.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fitting(schema).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.constantFrom(...nastyBodies) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

const segments = fc.oneof(
  fc.constantFrom('1', '2', '0', '-1', '1.5', '2147483648', '99999999999999999999', 'NaN', 'null'),
  nasty.map((value) => String(typeof value === 'object' ? JSON.stringify(value) : value)),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
)

/**
 * Text as it can stand in an address; lone halves of characters cannot, and become a question mark.
 */
function encoded(text: string): string {
  const wellFormed = Buffer.from(text.slice(0, 250)).toString('utf8')
  return encodeURIComponent(wellFormed === '' ? '0' : wellFormed).slice(0, 2_000)
}

function addresses(place: Place): fc.Arbitrary<string> {
  const names = [...place.path.matchAll(/\{(\w+)\}/g)].map(([whole]) => whole)
  const queryNames = Object.keys(
    (jsonSchemaOf(place.endpoint.query)['properties'] ?? {}) as Record<string, unknown>,
  )
  const path = fc
    .tuple(...names.map(() => segments))
    .map((values) =>
      names.reduce(
        (text, name, index) => text.replace(name, encoded(values[index] ?? '')),
        place.path as string,
      ),
    )
  const query = fc
    .array(
      fc.tuple(fc.constantFrom(...queryNames, 'page', 'limit', '__proto__', 'a[b]', ''), segments),
      { maxLength: 3 },
    )
    .map((pairs) => pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}`))
  return fc.tuple(path, query).map(([where, pairs]) => {
    return pairs.length === 0 ? where : `${where}?${pairs.join('&')}`
  })
}

const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('', 'k', 'k'.repeat(255), 'k'.repeat(256), 'é', '\t') },
)

/** Requests to one place, most of them wrong in one way or another. */
export function hostileRequests(place: Place): fc.Arbitrary<HostileRequest> {
  const types = fc.oneof(
    { weight: 5, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom(...contentTypes) },
  )
  return fc
    .record({
      url: addresses(place),
      body: place.method === 'GET' ? fc.constant(undefined) : bodies(place),
      type: types,
      key: keys,
    })
    .map(({ url, body, type, key }) => ({
      url,
      body,
      headers: {
        ...(place.method === 'GET' ? {} : { 'content-type': type }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
    }))
}
