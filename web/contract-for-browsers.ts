// What of the contract goes into the browser's bundles. Pages ask by an endpoint's method, path
// and topics and trust their own server's answers; the schemas of requests and answers are the
// server's, and would be a tenth of every screen.

import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const contractModule = /[\\/]contract[\\/]src[\\/]/

/** What `web/src/lib/api.ts` reads of an endpoint, beside its method and path. */
const keptFields: ReadonlySet<string> = new Set(['changes', 'changesWhen'])

/** As much of a syntax tree as is looked at here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Marks the half of a module that holds its endpoints. */
const endpointsQuery = '?endpoints'

/**
 * Parts each module of the contract in two: its endpoints, of which only what pages read is left,
 * and all else. So a screen that asks a call does not load the schemas of the form on another.
 * Constants made by a call, such as schemas, are marked so that they go where nothing uses them.
 */
export function contractForBrowsers(): Plugin {
  return {
    name: 'contract-for-browsers',
    apply: 'build',
    enforce: 'post',
    resolveId(source, importer = '') {
      const isHalf = source.endsWith(endpointsQuery) && contractModule.test(importer)
      return isHalf ? join(dirname(importer), source) : undefined
    },
    load(id) {
      if (!id.endsWith(endpointsQuery)) return undefined
      return readFile(id.slice(0, -endpointsQuery.length), 'utf8')
    },
    transform(code, id) {
      if (!contractModule.test(id)) return undefined
      const program = this.parse(code) as unknown as Node
      const half = id.endsWith(endpointsQuery) ? undefined : `./${basename(id)}${endpointsQuery}`
      return { code: replaced(code, replacements(program, code, half)), map: null }
    },
  }
}

/** @param half where the endpoints are found; undefined in that half itself */
function replacements(program: Node, code: string, half: string | undefined): Replacement[] {
  return nodesOf(program, 'body').flatMap((statement) => {
    const declaration = (statement['declaration'] ?? statement) as Node
    if (declaration.type !== 'VariableDeclaration') return []
    return (nodesOf(declaration, 'declarations') as unknown as Declarator[]).flatMap(
      ({ id, init }) => {
        if (!init) return []
        const endpoints = endpointsIn(init)
        if (endpoints.length === 0) return makesSchemas(init, code) ? asPure(init) : []
        if (half === undefined) return endpoints.map((call) => asLiteral(call, code))
        const text = `import { ${id.name} } from '${half}'; export { ${id.name} }`
        return [{ start: statement.start, end: statement.end, text }]
      },
    )
  })
}

interface Declarator {
  readonly id: { readonly name: string }
  readonly init?: Node
}

/** A call, or fields that several schemas share. */
function makesSchemas({ type, start, end }: Node, code: string): boolean {
  if (type === 'CallExpression') return true
  return type === 'ObjectExpression' && /\bz\./.test(code.slice(start, end))
}

/** A function that is called at once, without effects: what bundlers leave out when unused. */
function asPure({ start, end }: Node): Replacement[] {
  return [
    { start, end: start, text: '/* @__PURE__ */ (() => (' },
    { start: end, end, text: '))()' },
  ]
}

function asLiteral(call: Node, code: string): Replacement {
  const [, method, path, shape] = nodesOf(call, 'arguments')
  if (!method || !path || shape?.type !== 'ObjectExpression') {
    throw new Error('An endpoint is declared as a literal')
  }
  const kept = nodesOf(shape, 'properties').filter(
    ({ type, key }) => type === 'SpreadElement' || keptFields.has((key as { name: string }).name),
  )
  const textOf = ({ start, end }: Node) => code.slice(start, end)
  const fields = [`method: ${textOf(method)}`, `path: ${textOf(path)}`, ...kept.map(textOf)]
  return { start: call.start, end: call.end, text: `({ ${fields.join(', ')} })` }
}

/** The calls of `endpoint` in an expression, which holds them directly or in an object. */
function endpointsIn(node: Node): Node[] {
  if (node.type === 'CallExpression') {
    return (node['callee'] as { name?: string }).name === 'endpoint' ? [node] : []
  }
  if (node.type !== 'ObjectExpression') return []
  return nodesOf(node, 'properties').flatMap(({ value }) =>
    value ? endpointsIn(value as Node) : [],
  )
}

function nodesOf(node: Node, field: string): readonly Node[] {
  return (node[field] ?? []) as readonly Node[]
}

function replaced(code: string, parts: readonly Replacement[]): string {
  let text = ''
  let at = 0
  for (const part of [...parts].sort((one, other) => one.start - other.start)) {
    text += code.slice(at, part.start) + part.text
    at = part.end
  }
  return text + code.slice(at)
}
