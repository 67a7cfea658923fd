// Finds the tests in a source file: their full titles as written, and their tables' texts.

import ts from 'typescript'

export interface FoundTest {
  readonly file: string
  /**
   * Groups and title, joined by ` > `. Parts that are only known when the test runs stand as they
   * are written, for example `refuses %s` or `${name} is counted`.
   */
  readonly title: string
  readonly line: number
  /** False for a test, or one in a group, that is switched off: it proves nothing. */
  readonly runs: boolean
  /** Every text in the tables that the test, or a group around it, is made from with `each`. */
  readonly cases: readonly string[]
}

/** What stands around a test: the groups it is in, from the outside to the inside. */
type Options = Pick<FoundTest, 'runs' | 'cases'> & { readonly titles: readonly string[] }

/** `skipIf` and `runIf` do run where their condition holds. */
const silent = new Set(['skip', 'todo', 'fixme', 'fails', 'fail'])
const loud = new Set(['each', 'for', 'concurrent', 'sequential', 'serial', 'skipIf', 'runIf'])

/** The tests that one file declares, in their order. A call in a loop is one test. */
export function scanTests(file: string, source: string): FoundTest[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true, kind)
  const found: FoundTest[] = []
  const visit = (node: ts.Node, around: Options): void => {
    const declared = ts.isCallExpression(node) ? declaration(node, tree) : undefined
    if (declared === undefined) {
      ts.forEachChild(node, (child) => visit(child, around))
      return
    }
    const titles = [...around.titles, declared.title]
    const runs = around.runs && declared.runs
    const cases = [...around.cases, ...declared.cases]
    if (declared.isGroup) {
      ts.forEachChild(node, (child) => visit(child, { titles, runs, cases }))
    } else {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
      found.push({ file, title: titles.join(' > '), line, runs, cases })
    }
  }
  visit(tree, { titles: [], runs: true, cases: [] })
  return found
}

type Declaration = Pick<FoundTest, 'title' | 'runs' | 'cases'> & { readonly isGroup: boolean }

/** What a call declares: a test or a group of tests. Undefined when it declares neither. */
function declaration(call: ts.CallExpression, tree: ts.SourceFile): Declaration | undefined {
  const [first = '', ...more] = calleeWords(call.expression)
  const isGroup = first === 'describe' || (first === 'test' && more[0] === 'describe')
  if (!isGroup && first !== 'it' && first !== 'test') return undefined
  const modifiers = first === 'describe' || !isGroup ? more : more.slice(1)
  if (!modifiers.every((word) => silent.has(word) || loud.has(word))) return undefined
  // `it.each(table)` is a call of `it`, too; only the call that follows it has title and body.
  const [title, ...rest] = call.arguments
  const runs = !modifiers.some((word) => silent.has(word))
  if (title === undefined || (rest.length === 0 && runs)) return undefined
  return {
    title: textOf(title).replace(/\s+/g, ' ').trim(),
    runs,
    isGroup,
    cases: casesOf(call, tree),
  }
}

/** The texts of the table when the call is made with `each` or `for`. */
function casesOf(call: ts.CallExpression, tree: ts.SourceFile): string[] {
  const made = call.expression
  if (!ts.isCallExpression(made)) return []
  const isTable = ['each', 'for'].includes(calleeWords(made.expression).at(-1) ?? '')
  const table = made.arguments[0]
  return isTable && table !== undefined ? textsIn(resolved(table, tree)) : []
}

/** A table that stands in a constant of the same file is read there. */
function resolved(table: ts.Expression, tree: ts.SourceFile): ts.Node {
  if (!ts.isIdentifier(table)) return table
  let found: ts.Node = table
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      node.name.getText() === table.text &&
      node.initializer !== undefined
    ) {
      found = node.initializer
    } else {
      ts.forEachChild(node, visit)
    }
  }
  visit(tree)
  return found
}

function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [textOf(node)]
  const texts: string[] = []
  ts.forEachChild(node, (child) => void texts.push(...textsIn(child)))
  return texts
}

/** A text as it will be, with `${…}` as it is written where it is only known at run time. */
function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return `\${${node.getText()}}`
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `\${${expression.getText()}}${literal.text}`,
  )
  return node.head.text + spans.join('')
}

/** `it.skip` gives it, skip; `it.each(table)` gives it, each; `test.describe.skip` all three. */
function calleeWords(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) {
    return [...calleeWords(callee.expression), callee.name.text]
  }
  if (ts.isCallExpression(callee)) return calleeWords(callee.expression)
  if (ts.isTaggedTemplateExpression(callee)) return calleeWords(callee.tag)
  return []
}
