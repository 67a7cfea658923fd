import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { embeddedTestDatabase } from '../server/test/test-database.ts'
import { databasePage } from './database-page.ts'
import { openApiText } from './openapi-text.ts'

const page = (name: string) => readFile(new URL(`../docs/${name}`, import.meta.url), 'utf8')

it('docs/openapi.json says what the contract says; npm run docs writes it', async () => {
  expect((await page('openapi.json')) === openApiText()).toBe(true)
})

it('docs/database.md says what the migrations say; npm run docs writes it', async () => {
  const db = await embeddedTestDatabase()
  expect(await page('database.md')).toBe(await databasePage(db))
  await db.close()
})
