// Where benchmark figures go.

import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Writes `bench/results/<name>.json` with the kind of machine the figures come from. */
export async function writeResults(name: string, figures: unknown): Promise<void> {
  const folder = fileURLToPath(new URL('./results/', import.meta.url))
  await mkdir(folder, { recursive: true })
  const machine = {
    node: process.version,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  }
  await writeFile(`${folder}${name}.json`, `${JSON.stringify({ machine, figures }, null, 2)}\n`)
}
