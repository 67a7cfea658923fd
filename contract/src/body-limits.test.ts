// What every call takes fits its body limit, and no list in a request is without an end.

import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { allEndpoints, bodyBytesMax, bodyDepthMax, bodyMarksMax } from './index.ts'

interface Schema {
  readonly type?: string | string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly maxItems?: number
  readonly maxLength?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

const bodies = allEndpoints.flatMap((endpoint) => {
  if (endpoint.body === undefined) return []
  const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' })
  return [{ endpoint, schema: schema as Schema }]
})

/** The largest body that the schema takes, as UTF-8; lists and texts without an end are named. */
function bytesOf(schema: Schema, path: string, endless: string[]): number {
  const { anyOf, items, properties, type } = schema
  if (anyOf !== undefined) return Math.max(...anyOf.map((each) => bytesOf(each, path, endless)))
  if (type === 'array') {
    if (schema.maxItems === undefined) endless.push(path)
    return (schema.maxItems ?? 0) * (1 + bytesOf(items ?? {}, `${path}[]`, endless)) + 2
  }
  if (type === 'string') {
    const isBounded = [schema.maxLength, schema.enum, schema.const, schema.pattern, schema.format]
    if (isBounded.every((bound) => bound === undefined)) endless.push(path)
    return 4 * (schema.maxLength ?? 20) + 2
  }
  const inside = Object.entries(properties ?? {}).map(
    ([key, each]) => key.length + 4 + bytesOf(each, `${path}.${key}`, endless),
  )
  return inside.reduce((sum, bytes) => sum + bytes, 20)
}

function depthOf({ anyOf, items, properties, type }: Schema): number {
  const inner = [...(anyOf ?? []), ...(items ? [items] : []), ...Object.values(properties ?? {})]
  const own = type === 'array' || type === 'object' ? 1 : 0
  return own + Math.max(0, ...inner.map(depthOf))
}

describe('the body of a call', () => {
  it('has no list and no text without an end', () => {
    const endless: string[] = []
    for (const { endpoint, schema } of bodies) bytesOf(schema, endpoint.name, endless)
    expect(endless).toEqual([])
  })

  it('fits its limit, whatever the schema takes', () => {
    for (const { endpoint, schema } of bodies) {
      const { bodyLimit = 'fields', name } = endpoint
      // A picture is bounded by the limit itself.
      if (bodyLimit === 'picture') continue
      expect([name, bytesOf(schema, name, []) <= bodyBytesMax[bodyLimit]]).toEqual([name, true])
    }
  })

  it('is far from being nested too deeply', () => {
    for (const { schema } of bodies) expect(depthOf(schema)).toBeLessThan(bodyDepthMax / 2)
  })

  it('is small for everybody but staff', () => {
    for (const { access, bodyLimit = 'fields', bodyKind, name } of allEndpoints) {
      const isSmall = bodyLimit === 'fields' || (bodyLimit === 'message' && access === 'signature')
      expect([name, isSmall || access === 'staff']).toEqual([name, true])
      const takesFile = bodyKind === 'multipart' || bodyKind === 'json-or-multipart'
      expect([name, takesFile]).toEqual([name, takesFile && /file|picture/.test(bodyLimit)])
    }
  })

  it('has room for the longest lists of the contract', () => {
    const longest = (schema: Schema): number =>
      Math.max(
        schema.maxItems ?? 0,
        ...[...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})].map(longest),
      )
    for (const { endpoint, schema } of bodies) {
      const { bodyLimit = 'fields', name } = endpoint
      expect([name, longest(schema) * 2 < bodyMarksMax[bodyLimit]]).toEqual([name, true])
    }
  })
})
