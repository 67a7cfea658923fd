// docs/operating.md and the screens use the same names for states.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)

it('each label of the tables of warnings, and of the tab Server, stands in the program', () => {
  const guide = readFileSync(new URL('docs/operating.md', root), 'utf8')
  const start = guide.indexOf('## What a warning means')
  const told = guide.slice(start, guide.indexOf('**Health.**', start))
  // Of a table the column that says what is seen: what to do may name the buttons of others.
  const seen = told.replace(/^(\|.*?\|).*$/gm, '$1')
  const labels = [...seen.matchAll(/(?<!\*)\*(\w[^*]*)\*(?!\*)/g)].map(([, label = '']) => label)
  expect(labels.length).toBeGreaterThan(8)
  const sources = ['web/src', 'server/src'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => readFileSync(fileURLToPath(new URL(`${folder}/${name}`, root)), 'utf8')),
  )
  const isShown = (label: string) => {
    const whole = new RegExp(`['"\`>]\\s*${label}\\s*['"\`<]`)
    return sources.some((text) => whole.test(text))
  }
  expect(labels.filter((label) => !isShown(label))).toEqual([])
})
