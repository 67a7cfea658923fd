// Follows an expression in a call of `run` back to the calls of `statement` that may have made it.

import ts from 'typescript'

/** Source of a regular expression that matches the names of statements. */
export type NamePattern = string

const anything = '.*'
const depthMax = 40

/** Looks things up in one program. */
export class StatementNames {
  private readonly checker: ts.TypeChecker
  private readonly calls = new Map<string, ts.CallExpression[]>()
  private readonly asked = new Set<ts.ParameterDeclaration>()

  constructor(program: ts.Program, files: readonly ts.SourceFile[]) {
    this.checker = program.getTypeChecker()
    for (const file of files) this.index(file)
  }

  private index(node: ts.Node): void {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text } = node.expression
      this.calls.set(text, [...(this.calls.get(text) ?? []), node])
    }
    ts.forEachChild(node, (child) => this.index(child))
  }

  /** Calls of a function, wherever they stand in the program. */
  callsOf(called: ts.SignatureDeclaration): readonly ts.CallExpression[] {
    const name = nameOfFunction(called)
    if (name === undefined) return []
    const symbol = this.symbolOf(name)
    const found = this.calls.get(name.text) ?? []
    return found.filter(({ expression }) => this.symbolOf(expression) === symbol)
  }

  /** Where an identifier was declared, through imports. */
  declarationOf(node: ts.Node): ts.Declaration | undefined {
    return this.symbolOf(node)?.declarations?.[0]
  }

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node)
    return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias
      ? this.checker.getAliasedSymbol(symbol)
      : symbol
  }

  /** Names that a statement may have; none when the expression leads nowhere. */
  of(expression: ts.Expression): readonly NamePattern[] {
    return [...new Set(this.follow(expression, [], 0))]
  }

  /** `path` are the properties that are still to be taken from what the expression is. */
  private follow(node: ts.Expression, path: readonly string[], depth: number): string[] {
    const on = (next: ts.Expression, rest = path) => this.follow(next, rest, depth + 1)
    if (depth > depthMax) return []
    if (ts.isParenthesizedExpression(node) || isTypeOnly(node)) return on(node.expression)
    if (ts.isConditionalExpression(node)) return [...on(node.whenTrue), ...on(node.whenFalse)]
    if (ts.isBinaryExpression(node)) return [...on(node.left), ...on(node.right)]
    if (ts.isPropertyAccessExpression(node)) return on(node.expression, [node.name.text, ...path])
    if (ts.isElementAccessExpression(node)) return on(node.expression)
    if (ts.isIdentifier(node)) return this.followDeclaration(node, path, depth)
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((each) => on(each))
    if (ts.isObjectLiteralExpression(node)) return this.followObject(node, path, depth)
    if (ts.isArrowFunction(node)) return returned(node).flatMap((each) => on(each))
    if (ts.isNewExpression(node)) return (node.arguments ?? []).flatMap((each) => on(each))
    if (ts.isCallExpression(node)) return this.followCall(node, path, depth)
    return []
  }

  private followCall(call: ts.CallExpression, path: readonly string[], depth: number): string[] {
    const { expression: called, arguments: given } = call
    const on = (next: ts.Expression) => this.follow(next, path, depth + 1)
    if (ts.isPropertyAccessExpression(called)) {
      return [...on(called.expression), ...given.flatMap((each) => on(each))]
    }
    const declaration = this.declarationOf(called)
    const made = declaration === undefined ? undefined : functionOf(declaration)
    if (made === undefined) return []
    if (isStatementMaker(made)) {
      const [name] = given
      const pattern = name === undefined ? anything : this.pattern(name)
      return pattern.startsWith(anything) ? [] : [pattern]
    }
    return returned(made).flatMap((each) => on(each))
  }

  private followObject(
    object: ts.ObjectLiteralExpression,
    path: readonly string[],
    depth: number,
  ): string[] {
    const [first, ...rest] = path
    const named = object.properties.filter((property) => property.name?.getText() === first)
    const isNamed = named.length > 0
    return (isNamed ? named : object.properties).flatMap((property) => {
      const value = ts.isPropertyAssignment(property)
        ? property.initializer
        : ts.isShorthandPropertyAssignment(property)
          ? property.name
          : undefined
      return value === undefined ? [] : this.follow(value, isNamed ? rest : path, depth + 1)
    })
  }

  private followDeclaration(node: ts.Node, path: readonly string[], depth: number): string[] {
    let declared: ts.Node | undefined = this.declarationOf(node)
    const taken: string[] = []
    while (declared !== undefined && ts.isBindingElement(declared)) {
      const isList = ts.isArrayBindingPattern(declared.parent)
      if (!isList) taken.unshift((declared.propertyName ?? declared.name).getText())
      declared = declared.parent.parent
    }
    const whole = [...taken, ...path]
    const on = (next: ts.Expression | undefined) =>
      next === undefined ? [] : this.follow(next, whole, depth + 1)
    if (declared === undefined) return []
    if (ts.isVariableDeclaration(declared)) {
      const loop = declared.parent.parent
      return on(ts.isForOfStatement(loop) ? loop.expression : declared.initializer)
    }
    if (!ts.isParameter(declared)) return []
    const { parent: taker } = declared
    const index = taker.parameters.indexOf(declared)
    // What a callback is given comes out of what it was given to.
    if (ts.isCallExpression(taker.parent) && ts.isPropertyAccessExpression(taker.parent.expression))
      return on(taker.parent.expression.expression)
    return this.callsOf(taker).flatMap((call) => on(call.arguments[index]))
  }

  /** The text of a name; what is worked out while the program runs may be anything. */
  pattern(name: ts.Expression): NamePattern {
    if (ts.isStringLiteralLike(name)) return escaped(name.text)
    if (ts.isTemplateExpression(name)) {
      const spans = name.templateSpans.map(
        ({ expression, literal }) => this.pattern(expression) + escaped(literal.text),
      )
      return escaped(name.head.text) + spans.join('')
    }
    const declared = ts.isIdentifier(name) ? this.declarationOf(name) : undefined
    if (declared === undefined) return anything
    if (ts.isVariableDeclaration(declared) && declared.initializer) {
      return this.pattern(declared.initializer)
    }
    return ts.isParameter(declared) ? this.patternGiven(declared) : anything
  }

  /** What the calls of a function give it as this parameter. */
  private patternGiven(parameter: ts.ParameterDeclaration): NamePattern {
    // A function that calls itself gives on what it was given.
    if (this.asked.has(parameter)) return anything
    this.asked.add(parameter)
    const index = parameter.parent.parameters.indexOf(parameter)
    const given = this.callsOf(parameter.parent).map(({ arguments: values }) => {
      const value = values[index]
      return value === undefined ? anything : this.pattern(value)
    })
    this.asked.delete(parameter)
    return given.length === 0 || given.includes(anything) ? anything : `(${given.join('|')})`
  }
}

function isTypeOnly(
  node: ts.Expression,
): node is ts.AsExpression | ts.SatisfiesExpression | ts.NonNullExpression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The function that a name stands for. */
function functionOf(
  declaration: ts.Declaration,
): ts.ArrowFunction | ts.FunctionDeclaration | undefined {
  if (ts.isFunctionDeclaration(declaration)) return declaration
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  return value !== undefined && ts.isArrowFunction(value) ? value : undefined
}

function isStatementMaker(declaration: ts.ArrowFunction | ts.FunctionDeclaration): boolean {
  const file = declaration.getSourceFile().fileName
  return declaration.name?.getText() === 'statement' && file.endsWith('/adapters/db/database.ts')
}

function nameOfFunction(called: ts.SignatureDeclaration): ts.Identifier | undefined {
  if (ts.isFunctionDeclaration(called)) return called.name
  const { parent } = called
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name : undefined
}

/** What a function gives back, without looking into functions inside of it. */
function returned(made: ts.ArrowFunction | ts.FunctionDeclaration): ts.Expression[] {
  if (made.body === undefined) return []
  if (!ts.isBlock(made.body)) return [made.body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression)
    ts.forEachChild(node, visit)
  }
  visit(made.body)
  return found
}
