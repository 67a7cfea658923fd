// Which source file imports which, from their texts.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

const workspaces = [
  'contract',
  'fair',
  'server',
  'sandbox',
  'web',
  'tools',
  'bench',
  'simulation',
  'e2e',
]
const sourcePattern = /\.(?:m?ts|tsx|mjs|css|sql)$/
const importPattern =
  /(?:\b(?:import|export)\s+(type\s)?[\w*\s{},$]*?\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g

/** Every source file below `root`, except installed and built ones. */
export function sourceFiles(root) {
  return workspaces
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && sourcePattern.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !/(^|\/)(node_modules|dist|data|\.cache)\//.test(file))
    .sort()
}

/**
 * The imports between the files below `root`, once per pair. Imports of values exist when the
 * program runs; imports of types do not.
 */
export function readImports(root) {
  const pairs = new Map()
  for (const from of sourceFiles(root)) {
    for (const [, type, name] of readFileSync(join(root, from), 'utf8').matchAll(importPattern)) {
      const to = resolveImport(from, name)
      if (to === undefined) continue
      const pair = pairs.get(`${from} ${to}`) ?? { from, to, isValue: false }
      pairs.set(`${from} ${to}`, { ...pair, isValue: pair.isValue || type === undefined })
    }
  }
  return [...pairs.values()]
}

function resolveImport(file, name) {
  if (name.startsWith('.')) return posix.join(dirname(file), name)
  const own = /^@redpack\/([a-z]+)(?:\/(.+))?$/.exec(name)
  return own ? `${own[1]}/src/${own[2] ?? 'index'}.ts` : undefined
}
