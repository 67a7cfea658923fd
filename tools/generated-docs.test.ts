import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { documents } from './generated-docs.ts'

it.each(documents)('$name says what it is made from; npm run docs writes it', async (document) => {
  const page = await readFile(new URL(`../${document.name}`, import.meta.url), 'utf8')
  expect(page === (await document.make())).toBe(true)
})
