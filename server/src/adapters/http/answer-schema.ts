// Turns an answer's zod schema into the JSON Schema that Fastify compiles to a fast serialiser.

import * as z from 'zod/mini'

type JsonSchema = { [key: string]: unknown }

/**
 * JSON Schema (draft 7) of an answer. `X or null` becomes `nullable`, since the serialiser would
 * otherwise validate every value to find the branch. Fields the schema does not name are left out
 * of the answer, so nothing leaks by being added to a row.
 */
export function answerSchema(schema: z.ZodMiniType): JsonSchema {
  const derived = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
  })
  return simplify(derived as JsonSchema) as JsonSchema
}

function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node as JsonSchema)
    // Bounds and patterns cost time and change nothing in an answer; `$schema` is noise here.
    .filter(([key]) => !ignoredKeywords.has(key))
    .map(([key, value]) => [key, simplify(value)] as const)
  const plain = Object.fromEntries(entries) as JsonSchema
  return nullable(plain) ?? plain
}

const ignoredKeywords = new Set([
  '$schema',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'additionalProperties',
])

function nullable(node: JsonSchema): JsonSchema | undefined {
  const branches = node['anyOf']
  if (!Array.isArray(branches) || branches.length !== 2) return undefined
  const isNull = (branch: JsonSchema) => branch['type'] === 'null'
  const other = branches.find((branch: JsonSchema) => !isNull(branch))
  if (other === undefined || !branches.some(isNull)) return undefined
  return { ...other, nullable: true }
}
