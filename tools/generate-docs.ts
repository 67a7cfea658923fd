// Writes docs/openapi.json from the contract and docs/database.md from a migrated database.

import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { databasePage } from './database-page.ts'
import { openApiText } from './openapi-text.ts'

const documents = [
  { name: 'docs/openapi.json', make: async () => openApiText() },
  { name: 'docs/database.md', make: async () => databasePage(await embeddedTestDatabase()) },
]

let isCurrent = true
for (const { name, make } of documents) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url))
  const content = await make()
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before === content) continue
  if (process.argv.includes('--check')) {
    console.error(`${name} is out of date: npm run docs`)
    isCurrent = false
  } else {
    await writeFile(file, content)
    console.log(`Wrote ${name}`)
  }
}
process.exit(isCurrent ? 0 : 1)
