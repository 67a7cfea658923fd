// What of the contract goes into the browser's bundles. Pages ask by an endpoint's method, path
// and topics and trust their own server's answers; the schemas of requests and answers are the
// server's, and would be a tenth of every screen.

import type { Plugin } from 'vite'

const contractModule = /[\\/]contract[\\/]src[\\/]/

/** What `web/src/lib/api.ts` reads of an endpoint. */
const keptFields: ReadonlySet<string> = new Set(['method', 'path', 'changes', 'changesWhen'])

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

/**
 * Leaves of each `endpoint({...})` what pages read, and marks every other constant of the contract
 * as one that may be left out where nothing uses it.
 */
export function contractForBrowsers(): Plugin {
  return {
    name: 'contract-for-browsers',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!contractModule.test(id)) return
      const program = this.parse(code) as unknown as Node
      return { code: replaced(code, replacements(program, code)), map: null }
    },
  }
}

function replacements(program: Node, code: string): Replacement[] {
  const found: Replacement[] = []
  for (const statement of nodesOf(program, 'body')) {
    const declaration = (statement['declaration'] ?? statement) as Node
    if (declaration.type !== 'VariableDeclaration') continue
    for (const { init } of nodesOf(declaration, 'declarations') as { init?: Node }[]) {
      if (!init) continue
      const endpoints = endpointsIn(init)
      found.push(...endpoints.map((call) => asLiteral(call, code)))
      if (endpoints.length === 0 && init.type === 'CallExpression') found.push(...asPure(init))
    }
  }
  return found
}

/** A function that is called at once, without effects: what bundlers leave out when unused. */
function asPure({ start, end }: Node): Replacement[] {
  return [
    { start, end: start, text: '/* @__PURE__ */ (() => ' },
    { start: end, end, text: ')()' },
  ]
}

function asLiteral(call: Node, code: string): Replacement {
  const [shape] = nodesOf(call, 'arguments')
  if (shape?.type !== 'ObjectExpression') throw new Error('An endpoint is declared as a literal')
  const kept = nodesOf(shape, 'properties').filter(
    ({ type, key }) => type === 'SpreadElement' || keptFields.has((key as { name: string }).name),
  )
  const text = kept.map(({ start, end }) => code.slice(start, end)).join(', ')
  return { start: call.start, end: call.end, text: `({ ${text} })` }
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
