// Installs the packages of the lockfile if any are missing. Needs only Node and npm.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const nodeMin = [20, 19]

/** Ends the program if this Node is too old for the product. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])) return
  console.error(`Node ${nodeMin.join('.')} or later is needed, this is ${process.versions.node}`)
  process.exit(1)
}

/**
 * True if every package of the lockfile is installed in its version; optional ones may be missing.
 */
export function isInstalled() {
  const installedFile = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.optional || entry.devOptional) return true
    return installed[path]?.version === entry.version && existsSync(join(root, path))
  })
}

/** Installs when needed. No package's install script runs: none is needed. */
export function install() {
  requireNode()
  if (isInstalled()) return
  console.log('Installing packages. This needs a network and takes a minute ...')
  const exact = runNpm(['ci'])
  if (exact.status === 0) return
  if (isUnreached(exact.stderr ?? '')) {
    console.error('The packages could not be installed: the registry cannot be reached')
    process.exit(1)
  }
  // `npm ci` fails if a registry lacks packages of other platforms; this command installs the same
  // versions.
  const close = runNpm(['install', '--no-save'])
  if (close.status === 0) return
  console.error(`${exact.stderr ?? ''}${close.stderr ?? ''}`)
  console.error(
    `The packages could not be installed${close.error ? `: ${close.error.message}` : ''}`,
  )
  process.exit(1)
}

/** One more try after a second: npm's own retries take two silent minutes. */
const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']

/** npm's codes for a missing network; another way of installing would take minutes more. */
function isUnreached(said) {
  return /\b(ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/.test(
    said,
  )
}

function runNpm(words) {
  const all = [
    ...words,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...patience,
  ]
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'pipe'], encoding: 'utf8' }
  const npm = process.env.npm_execpath
  return npm !== undefined && /\.c?js$/.test(npm)
    ? spawnSync(process.execPath, [npm, ...all], options)
    : spawnSync('npm', all, { ...options, shell: process.platform === 'win32' })
}
