// Builds the server (one file with its source map, and its commands) and the web application.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { requireNode, root } from './install.mjs'
import { writeOfflineTools } from './offline-tools.mjs'
import { shellWorker, shellWorkerFile } from './shell-worker.mjs'

const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.webmanifest'])
const compressedBytesMin = 500

const shared = [
  'contract/src',
  'fair/src',
  'package-lock.json',
  'tools/build.mjs',
  'tools/shell-worker.mjs',
  'tools/offline-tools.mjs',
  'tools/offline',
  'tsconfig.base.json',
]

const webBuild = ['vite.config', 'contract-for-browsers', 'first-paint', 'screen-chunks'].map(
  (name) => `web/${name}.ts`,
)

/** Each part with its sources; `build` writes the result to `folder`. */
const parts = [
  {
    name: 'server',
    folder: join(root, 'server/dist'),
    sources: ['server/src', 'sandbox/src', ...shared],
    build: buildServer,
  },
  {
    name: 'web application',
    folder: join(root, 'web/dist'),
    sources: ['web/src', 'web/public', 'web/index.html', ...webBuild, ...shared],
    build: buildWeb,
  },
]

/** Names of the parts whose sources changed since their last build. */
export function changedParts() {
  return parts.filter((part) => stampOf(part.folder) !== sourceHash(part.sources))
}

/**
 * Builds what has changed in a separate process, so that the product does not carry the builders'
 * memory.
 */
export function buildWhenChanged() {
  const changed = changedParts()
  if (changed.length === 0) return
  console.log(`Building the ${changed.map(({ name }) => name).join(' and the ')} ...`)
  const script = join(root, 'tools/build.mjs')
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const stampFile = (folder) => join(folder, '.built-from')

function stampOf(folder) {
  return existsSync(stampFile(folder)) ? readFileSync(stampFile(folder), 'utf8') : undefined
}

/** Hash of names and contents; tests are not part of the product. */
function sourceHash(sources) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0])
  for (const source of sources) {
    for (const file of filesOf(source)) {
      hash.update(`${file}\0`).update(readFileSync(join(root, file)))
    }
  }
  return hash.digest('hex')
}

function filesOf(source) {
  if (extname(source) !== '') return [source]
  return readdirSync(join(root, source), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesOf(`${source}/${entry.name}`) : [`${source}/${entry.name}`],
    )
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort()
}

async function buildServer({ folder }) {
  const { build } = await import('esbuild')
  rmSync(folder, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'server/src/main.ts',
      cli: 'server/src/cli/main.ts',
      'simulation-worker': 'server/src/adapters/simulation/simulation-worker.ts',
    },
    outdir: folder,
    bundle: true,
    // The sandbox becomes a separate file, loaded only when the mode is on.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    alias: {
      ...contractFiles(),
      '@redpack/sandbox': './sandbox/src/index.ts',
      '@redpack/fair': './fair/src',
    },
    sourcemap: true,
    logLevel: 'warning',
  })
}

/** The contract's modules by name, as its package exports them. */
function contractFiles() {
  const { exports } = JSON.parse(readFileSync(join(root, 'contract/package.json'), 'utf8'))
  return Object.fromEntries(
    Object.entries(exports).map(([name, file]) => [
      `@redpack/contract${name.slice(1)}`,
      `./contract/${file.slice(2)}`,
    ]),
  )
}

async function buildWeb({ folder }) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: join(root, 'web'),
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error('The web application could not be built')
  await writeOfflineTools(folder)
  writeFileSync(join(folder, shellWorkerFile), await shellWorker(folder))
  await compress(folder)
}

/** Writes a .br and a .gz beside each file that gets smaller. */
async function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !compressible.has(extname(entry.name))) continue
    const file = join(entry.parentPath, entry.name)
    const content = readFileSync(file)
    if (content.length < compressedBytesMin || entry.name === 'index.html') continue
    const brotli = await promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    })
    writeFileSync(`${file}.br`, brotli)
    writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

/** This command does not install the build packages; it ends without them. */
async function requireBuilders() {
  try {
    await import('esbuild')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error('The build packages are missing: run npm ci first')
    process.exit(1)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  requireNode()
  const only = process.argv[2]
  const changed = changedParts().filter(({ name }) => only === undefined || name === only)
  if (changed.length > 0) await requireBuilders()
  for (const part of changed) {
    const hash = sourceHash(part.sources)
    await part.build(part)
    writeFileSync(stampFile(part.folder), hash)
  }
}
