// What a type of the program says about one value of a row or of a statement.

import ts from 'typescript'

/**
 * `number`, `string`, `boolean`, `Date`, `bytes`, `object`, `unknown` or `any`, and the same with
 * `[]` behind it for a list.
 */
export type Kind = string

export interface Declared {
  readonly kinds: readonly Kind[]
  /** Null or undefined may stand there. */
  readonly isNullable: boolean
}

/** Fields by their names. */
export type Fields = ReadonlyMap<string, Declared>

/** Reads types of one program. */
export class TypeReader {
  private readonly checker: ts.TypeChecker

  constructor(checker: ts.TypeChecker) {
    this.checker = checker
  }

  declared(type: ts.Type): Declared {
    const parts = this.parts(type)
    const isNothing = ({ flags }: ts.Type) =>
      (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0
    const kinds = parts.filter((part) => !isNothing(part)).map((part) => this.kind(part))
    return {
      kinds: [...new Set(kinds)],
      isNullable: parts.some(isNothing) || kinds.includes('unknown') || kinds.includes('any'),
    }
  }

  /**
   * The fields of an object; of a union each field that one of its members has. Undefined when the
   * type names none.
   */
  fields(type: ts.Type): Fields | undefined {
    const members = this.parts(type)
    const fields = new Map<string, Declared>()
    for (const member of members) {
      if (this.checker.getIndexInfosOfType(member).length > 0) return undefined
      if (this.checker.getPropertiesOfType(member).length === 0) return undefined
    }
    const names = members.flatMap((member) =>
      this.checker.getPropertiesOfType(member).map(({ name }) => name),
    )
    for (const name of new Set(names)) {
      const each = members.map((member) => this.field(member, name))
      fields.set(name, {
        kinds: [...new Set(each.flatMap((field) => field?.kinds ?? []))],
        isNullable: each.some((field) => field === undefined || field.isNullable),
      })
    }
    return fields
  }

  private field(type: ts.Type, name: string): Declared | undefined {
    const property = this.checker.getPropertyOfType(type, name)
    return property && this.declared(this.checker.getTypeOfSymbol(property))
  }

  private parts(type: ts.Type): readonly ts.Type[] {
    return type.isUnion() ? type.types : [type]
  }

  private kind(type: ts.Type): Kind {
    const { checker } = this
    if (type.flags & ts.TypeFlags.Any) return 'any'
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return 'unknown'
    for (const [name, base] of [
      ['string', checker.getStringType()],
      ['number', checker.getNumberType()],
      ['boolean', checker.getBooleanType()],
    ] as const) {
      if (checker.isTypeAssignableTo(type, base)) return name
    }
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const elements = checker.getTypeArguments(type as ts.TypeReference)
      const kinds = new Set(elements.flatMap((element) => this.declared(element).kinds))
      return kinds.size === 1 ? `${[...kinds][0]}[]` : 'unknown[]'
    }
    const name = type.getSymbol()?.name ?? ''
    if (name === 'Date') return 'Date'
    return name === 'Uint8Array' || name === 'Buffer' ? 'bytes' : 'object'
  }
}
