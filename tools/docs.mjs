// `npm run docs`: writes the generated documents; with `-- --check` it only lists outdated ones.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { install, root } from './install.mjs'

process.chdir(root)
install()
const { register } = await import('tsx/esm/api')
register()
const { documents } = await import('./generated-docs.ts')

const isCheck = process.argv.includes('--check')
for (const { name, make } of documents) {
  const content = await make()
  if (existsSync(name) && readFileSync(name, 'utf8') === content) continue
  if (!isCheck) writeFileSync(name, content)
  else process.exitCode = 1
  console.log(isCheck ? `${name} is out of date: npm run docs` : `Wrote ${name}`)
}
