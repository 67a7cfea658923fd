// Brings calls of `run`, statements and the database together.

import type { Statement } from '../../src/adapters/db/database.ts'
import type { Described, Describer } from './described.ts'
import { runCalls } from './run-calls.ts'
import { faultsOf } from './statement-faults.ts'

export interface Findings {
  /** How many calls were compared with the database. */
  readonly checked: number
  /** File, statement and what is wrong there. */
  readonly faults: readonly string[]
  /** File and line of calls of which nobody knows what they run. */
  readonly unknown: readonly string[]
  /** Names of statements that no call leads to. */
  readonly neverRun: readonly string[]
  /** Names that several texts have. */
  readonly namedTwice: readonly string[]
}

/** Checks the calls of `run` in these files against the statements that their modules have made. */
export async function checkStatements(
  root: string,
  files: readonly string[],
  statements: readonly Statement[],
  describer: Describer,
): Promise<Findings> {
  const described = await describeAll(statements, describer)
  const faults = new Set<string>()
  const unknown: string[] = []
  const run = new Set<string>()
  const calls = runCalls(root, files)
  for (const call of calls) {
    const patterns = call.names.map((name) => new RegExp(`^${name}$`))
    const found = statements.filter(({ name }) => patterns.some((pattern) => pattern.test(name)))
    if (found.length === 0) unknown.push(call.where)
    for (const each of found) {
      run.add(each.name)
      const answer = described.get(each)
      const place = `${call.where.replace(/:\d+$/, '')} ${each.name}`
      const wrong =
        answer instanceof Error ? [answer.message] : answer && faultsOf(call, each, answer)
      for (const fault of wrong ?? []) faults.add(`${place}: ${fault}`)
    }
  }
  return {
    checked: calls.length - unknown.length,
    faults: [...faults],
    unknown,
    neverRun: statements.map(({ name }) => name).filter((name) => !run.has(name)),
    namedTwice: namedTwice(statements),
  }
}

async function describeAll(statements: readonly Statement[], describer: Describer) {
  const described = new Map<Statement, Described | Error>()
  for (const each of statements) {
    const answer = await describer.describe(each.text).catch((error: unknown) => {
      if (error instanceof Error) return error
      throw error
    })
    described.set(each, answer)
  }
  return described
}

function namedTwice(statements: readonly Statement[]): string[] {
  const texts = new Map(statements.map(({ name, text }) => [name, text]))
  return statements.flatMap(({ name, text }) => (texts.get(name) === text ? [] : [name]))
}
