// The OpenAPI document says of every call what the contract says, and nothing else.

import { addressesOf, allEndpoints, type EndpointShape } from '@redpack/contract'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { answerSchema, type NamedShape, openApiDocument } from './openapi.ts'
import { statusOf } from './problem-answers.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
}

interface Operation {
  readonly operationId: string
  readonly 'x-access': string
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly description: string
    readonly required: boolean
    readonly content: Record<string, Content>
  }
  readonly responses: Record<string, { readonly content?: Record<string, Content> }>
}

interface Content {
  readonly schema: { readonly [key: string]: unknown }
}

const options = { title: 'Redpack', version: '1.0.0', statusOf }

function pathsOf(endpoints: readonly NamedShape[]) {
  const document = openApiDocument(endpoints, options)
  return document['paths'] as Record<string, Record<string, Operation>>
}

const paths = pathsOf(allEndpoints)
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

function operationOf(method: string, path: string): Operation {
  const operation = paths[path]?.[method]
  if (operation === undefined) throw new Error(`no ${method} ${path}`)
  return operation
}

describe('openApiDocument', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const document = openApiDocument(allEndpoints, { ...options, serverUrl: 'http://127.0.0.1' })
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(JSON.stringify(document)))
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  it('holds every endpoint and alias once', () => {
    const expected = allEndpoints.flatMap((endpoint: EndpointShape) =>
      addressesOf(endpoint).map(({ method, path }) => `${method.toLowerCase()} ${path}`),
    )
    const found = operations.map(({ method, path }) => `${method} ${path}`)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  it('refuses a contract with two endpoints in one place', () => {
    const [first] = allEndpoints
    expect(() => openApiDocument([first!, { ...first!, name: 'twin' }], options)).toThrow('Two')
  })

  it('refuses a path parameter without a schema', () => {
    const [first] = allEndpoints
    const broken: NamedShape = { ...first!, path: '/api/things/{id}', name: 'things.one' }
    expect(() => openApiDocument([broken], options)).toThrow('declares no parameter id')
  })
})

describe('an operation', () => {
  it('states the bounds of a request, as a number and as digits', () => {
    const open = operationOf('post', '/api/packs/open')
    const { schema } = open.requestBody!.content['application/json']!
    expect(schema['required']).toEqual(['packTypeId', 'quantity'])
    expect(schema['properties']).toMatchObject({
      quantity: {
        anyOf: [
          { type: 'integer', minimum: 1, maximum: 50 },
          { type: 'string', pattern: '^[0-9]+$' },
        ],
      },
    })
  })

  it('answers every refusal with the shared problem', () => {
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        const { schema } = response.content!['application/json']!
        expect(schema).toEqual({ $ref: '#/components/schemas/Problem' })
      }
    }
  })

  it('says who may call it', () => {
    const access = (method: string, path: string) => {
      const operation = operationOf(method, path)
      return { access: operation['x-access'], security: operation.security }
    }
    expect(access('get', '/api/user/stats')).toEqual({
      access: 'viewer',
      security: [{ session: [] }],
    })
    expect(access('get', '/api/redcoin/leaderboard')).toEqual({ access: 'public', security: [] })
    expect(access('get', '/metrics')).toEqual({
      access: 'operator',
      security: [{ session: [] }, { metricsToken: [] }, {}],
    })
  })

  it('shows a file beside the text parts of a form', () => {
    const bulk = operationOf('post', '/api/admin/bulk-distribute-packs').requestBody!
    expect(Object.keys(bulk.content)).toEqual(['multipart/form-data'])
    const { schema } = bulk.content['multipart/form-data']!
    expect(schema['required']).toEqual(['packTypeId', 'file'])
    const packType = operationOf('put', '/api/admin/pack-types/{id}').requestBody!
    expect(Object.keys(packType.content)).toEqual(['application/json', 'multipart/form-data'])
    expect(packType.content['application/json']!.schema['properties']).not.toHaveProperty('image')
    expect(packType.required).toBe(false)
  })

  it('writes an answer with every field and room for more', () => {
    const endpoint: NamedShape = {
      ...allEndpoints[0]!,
      name: 'things.one',
      response: z.object({ id: z.int(), note: z.nullable(z.string()) }),
    }
    const schema = Object.values(Object.values(pathsOf([endpoint]))[0]!)[0]!.responses['200']!
      .content!['application/json']!.schema
    expect(schema).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' }, note: { type: ['string', 'null'] } },
      required: ['id', 'note'],
    })
  })
})

it('what writes answers knows no bounds, nor where null may stand', () => {
  const at = z.iso.datetime()
  const { properties } = answerSchema(z.object({ at, until: z.nullable(at) }))
  expect(properties).toEqual({
    at: { type: 'string' },
    until: { type: 'string', nullable: true },
  })
})
