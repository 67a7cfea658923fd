// Builds the offline tools from the code that draws: single readable files that need Node alone.
// `node tools/offline-tools.mjs FOLDER` writes them.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'

export const offlineTools = ['verify-proof', 'watch-log']

/** The text of one tool. */
export async function offlineTool(name) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`tools/offline/${name}.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'warning',
  })
  return outputFiles[0].text
}

/** Writes all of them into a folder. */
export async function writeOfflineTools(folder) {
  mkdirSync(folder, { recursive: true })
  for (const name of offlineTools) {
    writeFileSync(join(folder, `${name}.mjs`), await offlineTool(name))
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeOfflineTools(process.argv[2] ?? '.')
}
