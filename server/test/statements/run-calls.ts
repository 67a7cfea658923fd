// Every call of `run` in the server, and every function that `adapters/db/queries.ts` makes of a
// statement: which statements it may run, as what rows, with what values.

import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { type NamePattern, StatementNames } from './statement-names.ts'
import { type Declared, type Fields, TypeReader } from './value-kinds.ts'

export interface RunCall {
  /** Path from the folder of the program and line. */
  readonly where: string
  /** None when the expression says nothing about it. */
  readonly names: readonly NamePattern[]
  /** Undefined when the rows are of no declared shape. */
  readonly row: Fields | undefined
  /** In their order, or by name; undefined where the call does not show them. */
  readonly values: readonly Declared[] | Fields | undefined
}

/** Reads the calls of `run` in these files; `root` is the folder of the program's settings. */
export function runCalls(root: string, files: readonly string[]): RunCall[] {
  const config = join(root, 'tsconfig.json')
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  )
  const program = ts.createProgram(files, options)
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? [])
  return new RunCalls(root, program, sources).all
}

class RunCalls {
  readonly all: RunCall[] = []
  private readonly checker: ts.TypeChecker
  private readonly reader: TypeReader
  private readonly names: StatementNames
  private readonly root: string

  constructor(root: string, program: ts.Program, sources: readonly ts.SourceFile[]) {
    this.root = root
    this.checker = program.getTypeChecker()
    this.reader = new TypeReader(this.checker)
    this.names = new StatementNames(program, sources)
    for (const source of sources) this.visit(source)
  }

  private visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      if (this.isRun(node)) this.add(node)
      else this.addQuery(node)
    }
    ts.forEachChild(node, (child) => this.visit(child))
  }

  private isRun(call: ts.CallExpression): boolean {
    const { expression: called } = call
    if (!ts.isPropertyAccessExpression(called) || called.name.text !== 'run') return false
    const method = this.checker.getSymbolAtLocation(called.name)?.declarations?.[0]
    const owner = method?.parent
    return (
      owner !== undefined && ts.isInterfaceDeclaration(owner) && owner.name.text === 'Queryable'
    )
  }

  private add(call: ts.CallExpression): void {
    const [query, values] = call.arguments
    if (query === undefined) return
    const declared = this.names.declarationOf(query)
    const isOwn = declared !== undefined && ts.isParameter(declared)
    const wrapper = isOwn ? declared.parent : undefined
    const row = this.rowOf(call)
    const given = values && this.valuesOf(values)
    if (wrapper === undefined || !(row.flags & ts.TypeFlags.TypeParameter)) {
      this.push(call, query, row, given)
      return
    }
    // A function that is told the statement and its rows: each of its calls is one of `run`.
    for (const outer of this.names.callsOf(wrapper)) {
      const passed = outer.arguments[wrapper.parameters.indexOf(declared as never)]
      const [type] = outer.typeArguments ?? []
      if (passed === undefined) continue
      this.push(outer, passed, type ? this.checker.getTypeFromTypeNode(type) : row, given)
    }
  }

  /** A statement as a function says its rows and its values as types. */
  private addQuery(call: ts.CallExpression): void {
    const made = this.names.declarationOf(call.expression)
    if (made === undefined || !ts.isFunctionDeclaration(made) || !isOfQueries(made)) return
    const [name] = call.arguments
    if (name === undefined || isOfQueries(call)) return
    const types = (call.typeArguments ?? []).map((type) => this.checker.getTypeFromTypeNode(type))
    const hasRows = made.typeParameters?.[0]?.name.text === 'Row'
    const [row, given] = hasRows ? types : [undefined, ...types]
    const values = given && this.checker.getTypeArguments(given as ts.TypeReference)
    const [only] = values?.length === 1 ? values : []
    const isNamed = only !== undefined && this.reader.declared(only).kinds[0] === 'object'
    this.all.push({
      where: this.placeOf(call),
      names: [this.names.pattern(name)],
      row: row && this.fields(row),
      values: isNamed
        ? this.reader.fields(only)
        : (values ?? []).map((value) => this.reader.declared(value)),
    })
  }

  private placeOf(call: ts.CallExpression): string {
    const source = call.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(call.getStart())
    return `${relative(this.root, source.fileName)}:${line + 1}`
  }

  private push(
    call: ts.CallExpression,
    query: ts.Expression,
    row: ts.Type,
    values: RunCall['values'],
  ): void {
    this.all.push({
      where: this.placeOf(call),
      names: this.names.of(query),
      row: row.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any) ? undefined : this.fields(row),
      values,
    })
  }

  private fields(row: ts.Type): Fields | undefined {
    return this.reader.fields(this.checker.getApparentType(row))
  }

  /** The `Row` of this call, whether it is written there or follows from what is done with it. */
  private rowOf(call: ts.CallExpression): ts.Type {
    const [written] = call.typeArguments ?? []
    if (written !== undefined) return this.checker.getTypeFromTypeNode(written)
    const rows = this.checker.getAwaitedType(this.checker.getTypeAtLocation(call))
    const [row] = rows === undefined ? [] : this.checker.getTypeArguments(rows as ts.TypeReference)
    return row ?? this.checker.getTypeAtLocation(call)
  }

  private valuesOf(values: ts.Expression): RunCall['values'] {
    if (ts.isArrayLiteralExpression(values)) return this.listOf(values)
    const type = this.checker.getTypeAtLocation(values)
    if (this.checker.isTupleType(type)) {
      const parts = this.checker.getTypeArguments(type as ts.TypeReference)
      return parts.map((part) => this.reader.declared(part))
    }
    if (!this.checker.isArrayType(type)) return this.reader.fields(type)
    const declared = ts.isIdentifier(values) ? this.names.declarationOf(values) : undefined
    const isConst = declared !== undefined && ts.isVariableDeclaration(declared)
    return isConst && declared.initializer && ts.isArrayLiteralExpression(declared.initializer)
      ? this.listOf(declared.initializer)
      : undefined
  }

  private listOf(list: ts.ArrayLiteralExpression): readonly Declared[] | undefined {
    const found: Declared[] = []
    for (const element of list.elements) {
      if (ts.isSpreadElement(element)) {
        const spread = this.valuesOf(element.expression)
        if (!Array.isArray(spread)) return undefined
        found.push(...spread)
      } else found.push(this.reader.declared(this.checker.getTypeAtLocation(element)))
    }
    return found
  }
}

function isOfQueries(node: ts.Node): boolean {
  return node.getSourceFile().fileName.endsWith('/adapters/db/queries.ts')
}
