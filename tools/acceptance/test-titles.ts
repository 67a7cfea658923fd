// Finds the titles of tests in a source file, tables of titles included, and the row IDs in them.

import ts from 'typescript'

export interface Claim {
  /** ID of a requirement row, for example `P-031`. */
  readonly id: string
  /** Path and line of the title, for messages. */
  readonly where: string
}

export interface TitleScan {
  readonly claims: readonly Claim[]
  /** Brackets that start like an ID but are no list of IDs, each with its place. */
  readonly malformed: readonly string[]
}

const testCalls = new Set(['it', 'test'])
/** Tests that never run prove nothing. `skipIf` and `runIf` do run where their condition holds. */
const silent = new Set(['skip', 'todo', 'fixme', 'fails', 'fail'])
const bracket = /\[([PAD]-[^\]]*)\]/g
const idList = /^[PAD]-\d{3}(, [PAD]-\d{3})*$/

/** The IDs that the titles of one test file carry: `[P-031]` or `[P-031, P-032]`, never a range. */
export function scanTitles(file: string, source: string): TitleScan {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true, kind)
  const claims: Claim[] = []
  const malformed: string[] = []
  for (const title of titlesIn(tree)) {
    const where = `${file}:${tree.getLineAndCharacterOfPosition(title.getStart()).line + 1}`
    for (const [, list = ''] of title.text.matchAll(bracket)) {
      if (!idList.test(list)) malformed.push(`${where} [${list}] is no list of IDs`)
      else claims.push(...list.split(', ').map((id) => ({ id, where })))
    }
  }
  return { claims, malformed }
}

type Title = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail

function titlesIn(tree: ts.SourceFile): Title[] {
  const titles: Title[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const words = calleeWords(node.expression)
      const isTest = testCalls.has(words[0] ?? '')
      const isGroup = words[0] === 'describe' || words[1] === 'describe'
      if ((isTest || isGroup) && words.some((word) => silent.has(word))) return
      const title = node.arguments[0]
      if (isTest && !isGroup && title !== undefined) titles.push(...titleTexts(node, title, tree))
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return titles
}

/** The title itself, and the rows of its table when the test is made with `each`. */
function titleTexts(call: ts.CallExpression, title: ts.Expression, tree: ts.SourceFile): Title[] {
  // `it.each(table)` is itself a call of `it`; only the call that follows it has a title.
  if (!ts.isStringLiteralLike(title) && !ts.isTemplateExpression(title)) return []
  const made = call.expression
  if (!ts.isCallExpression(made) || calleeWords(made.expression).at(-1) !== 'each') {
    return textsIn(title)
  }
  const table = made.arguments[0]
  return [...textsIn(title), ...(table === undefined ? [] : textsIn(resolved(table, tree)))]
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

function textsIn(node: ts.Node): Title[] {
  const texts: Title[] = []
  const visit = (inner: ts.Node): void => {
    if (
      ts.isStringLiteralLike(inner) ||
      ts.isTemplateHead(inner) ||
      ts.isTemplateMiddle(inner) ||
      ts.isTemplateTail(inner)
    ) {
      texts.push(inner)
    }
    ts.forEachChild(inner, visit)
  }
  visit(node)
  return texts
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
