// Makes the worker that keeps the application for use without a network: the rules of
// `web/src/worker` with the file names of one build.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import { everyScreen, filesOf, fontsOf, manifestOf } from './script-budgets.mjs'

/** Name of the file in the built site; the server knows it too. */
export const shellWorkerFile = 'shell-worker.js'

/** The contract's modules only declare, so unused ones are left out. */
const contractOnlyDeclares = {
  name: 'contract-only-declares',
  setup(build) {
    build.onResolve({ filter: /^@redpack\/contract$/ }, () => ({
      path: join(root, 'contract/src/index.ts'),
      sideEffects: false,
    }))
    build.onResolve({ filter: /^\.\// }, ({ path, resolveDir }) =>
      resolveDir === join(root, 'contract/src')
        ? { path: join(resolveDir, path), sideEffects: false }
        : undefined,
    )
  },
}

/** What the bar loads once it is pressed on a phone. */
const menu = ['src/app/nav-sheet.tsx', 'src/ui/overlay/dialog-panel.tsx']
/** The pictures of the bar. */
const pictures = ['/art/brand-mark.svg', '/art/redcoin.svg']

/**
 * What every screen needs: the first script, the bar with its menu, what these import, and the
 * fonts. The style sheet is in the page.
 */
function shellOf(dist) {
  const manifest = manifestOf(dist)
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const files = [...filesOf(manifest, [...everyScreen, ...menu]), ...fontsOf(page)]
  // The page names its entry and each screen's files, so that any change of the build changes it.
  const built = createHash('sha256').update(page)
  for (const name of readdirSync(join(dist, 'assets')).sort()) built.update(name)
  return {
    version: built.digest('hex').slice(0, 16),
    entry: `/${manifest['index.html'].file}`,
    files: [...files.sort().map((name) => `/${name}`), ...pictures],
  }
}

/**
 * The worker as text.
 * @param dist folder of the built site
 */
export async function shellWorker(dist) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['web/src/worker/main.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'none',
    define: { builtShell: JSON.stringify(shellOf(dist)) },
    plugins: [contractOnlyDeclares],
    logLevel: 'warning',
  })
  return outputFiles[0].text
}
