// The built programs of a test file: started with settings, and gone with all they made after it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { buildServer, type ProductProcess, startProgram } from './product-process.ts'
import { postgresTestDatabase } from './test-database.ts'

export type PostgresDatabase = Awaited<ReturnType<typeof postgresTestDatabase>>

type Options = Parameters<typeof startProgram>[2]
type Settings = Record<string, string>

export interface Programs {
  /** For the data of these programs. */
  readonly folder: string
  /** Those that were started and not killed, in that order. */
  readonly running: readonly ProductProcess[]
  /** Starts the product, which may refuse its settings. */
  launch(settings: Settings, options?: Options): ProductProcess
  /** Starts the product and waits until it serves. */
  start(settings: Settings, options?: Options): Promise<ProductProcess>
  /** A database of its own on PostgreSQL, dropped once no program uses it. */
  database(): Promise<PostgresDatabase>
  /** Kills what still runs, and waits for its end. */
  kill(): Promise<void>
}

/** Builds the server before the tests of a file and clears everything away after them. */
export function usePrograms(name: string): Programs {
  const folder = mkdtempSync(join(tmpdir(), `redpack-${name}-`))
  const running: ProductProcess[] = []
  const databases: PostgresDatabase[] = []
  const programs: Programs = {
    folder,
    running,
    launch(settings, options) {
      const product = startProgram('main', settings, options)
      running.push(product)
      return product
    },
    async start(settings, options) {
      const product = programs.launch(settings, options)
      await product.ready()
      return product
    },
    async database() {
      const database = await postgresTestDatabase()
      databases.push(database)
      return database
    },
    async kill() {
      for (const { child, exit } of running.splice(0)) {
        child.kill('SIGKILL')
        await exit
      }
    },
  }
  beforeAll(() => buildServer(), 90_000)
  afterAll(async () => {
    await programs.kill()
    for (const { drop } of databases) await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  return programs
}

/** Runs a command of the operator to its end; answers its exit code and all that it printed. */
export async function runCommand(
  words: string[],
  settings: Settings,
  options: Options = {},
): Promise<{ code: number | null; output: string; errors: string }> {
  const command = startProgram('cli', settings, { ...options, words })
  return { code: await command.exit, output: command.output(), errors: command.errors() }
}
