// Builds the offline tools from the code that draws: single readable files that need Node alone.
// `node tools/offline-tools.mjs FOLDER` writes them.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'

export const offlineTools = ['verify-proof', 'watch-log']

/** One script with all that it imports. */
export async function bundled(entryPoint, options) {
  const { build } = await import('esbuild')
  const whole = { bundle: true, write: false, charset: 'utf8', logLevel: 'warning' }
  const built = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    ...whole,
    ...options,
  })
  return built.outputFiles[0].text
}

/** The text of one tool. */
export function offlineTool(name) {
  const node = { format: 'esm', platform: 'node', target: 'node20.19', legalComments: 'inline' }
  return bundled(`tools/offline/${name}.ts`, node)
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
