// Which tests a change reaches: nearest first, as many as fit, and none forgotten.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../tidy/repository-files.ts'
import { circles, roomOf, valueClosure } from './import-graph.mjs'
import { isProduct, isTest } from './lines.mjs'
import { broughtAlong, fitInto, reachedTests, readImporters } from './related-tests.mjs'

const importers = new Map([
  ['rules/price.ts', new Set(['rules/price.test.ts', 'store/buy.ts', 'web/cart.ts'])],
  ['store/buy.ts', new Set(['store/buy.test.ts', 'app.ts'])],
  ['app.ts', new Set(['test/races.test.ts', 'store/buy.ts'])],
  ['web/cart.ts', new Set(['web/cart.test.tsx'])],
])

describe('the tests that a change reaches', () => {
  it('are found through what imports it, nearest first, also around a circle', () => {
    expect(reachedTests(importers, ['rules/price.ts'])).toEqual([
      'rules/price.test.ts',
      'store/buy.test.ts',
      'web/cart.test.tsx',
      'test/races.test.ts',
    ])
    expect(reachedTests(importers, ['README.md'])).toEqual([])
  })

  it('begin with those that were changed themselves and those beside the change', () => {
    const changed = ['web/cart.test.tsx', 'store/buy.ts']
    expect(reachedTests(importers, changed).slice(0, 2)).toEqual([
      'web/cart.test.tsx',
      'store/buy.test.ts',
    ])
  })

  it('are chosen as long as they fit, and the others are named', () => {
    const times: Record<string, number> = { a: 9_000, b: 30_000, c: 8_000, d: 4_000 }
    expect(fitInto(['a', 'b', 'c', 'd', 'unknown'], (test) => times[test], 11_000)).toEqual({
      chosen: ['a', 'c', 'd'],
      left: ['b', 'unknown'],
    })
  })

  it('are chosen whatever they take when the change edits them', () => {
    const always = ['slow']
    const times: Record<string, number> = { a: 4_000, slow: 9_000 }
    expect(fitInto(['a', 'slow'], (test) => times[test], 5_000, { always })).toEqual({
      chosen: ['slow'],
      left: ['a'],
    })
  })

  it('are followed by those of what is recorded and generated, which import nothing', () => {
    const recorded = 'server/test/recorded-answers.test.ts'
    expect(broughtAlong(['server/src/features/claims/admin-views.ts'])).toEqual([recorded])
    expect(broughtAlong(['server/src/app.test.ts', 'web/src/app/main.tsx'])).toEqual([])
    const along = broughtAlong(['server/migrations/0002_a.sql'])
    expect(along).toHaveLength(4)
    for (const file of along) expect(existsSync(join(repositoryRoot, file)), file).toBe(true)
  })

  it('of this repository follow its imports, also by the name of a workspace', () => {
    const read = readImporters(repositoryRoot)
    expect(reachedTests(read, ['server/src/rules/opening.ts'])[0]).toBe(
      'server/src/rules/opening.test.ts',
    )
    const ofContract = reachedTests(read, ['contract/src/limits.ts'])
    expect(ofContract.some((file) => file.startsWith('web/'))).toBe(true)
    expect(ofContract.some((file) => file.startsWith('server/'))).toBe(true)
    for (const file of ofContract) expect(existsSync(join(repositoryRoot, file)), file).toBe(true)
  })
})

describe('what imports what', () => {
  const pairs = (text: string) =>
    text.split(' ').map((pair) => {
      const [from = '', kind = '', to = ''] = pair.split(/([-~])/)
      return { from, to, isValue: kind === '-' }
    })

  it('is followed by values alone, and not into what is left out', () => {
    expect(valueClosure(pairs('a-b b-c c-a b~d c-door door-e'), ['a'], notDoor)).toEqual([
      'a',
      'b',
      'c',
    ])
  })
  const notDoor = (name: string) => name !== 'door'

  it('shows each circle once', () => {
    expect(circles(pairs('a-b b-a b-c c-d d~e e-c f-a'))).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
  })

  it('counts product and tests by room', () => {
    expect(roomOf('server/src/features/packs/open-packs.ts')).toBe('server/packs')
    expect(roomOf('web/src/ui/button.tsx')).toBe('web/ui')
    expect(roomOf('server/test/deps.ts')).toBe('server')
    expect(roomOf('vitest.config.ts')).toBe('root')
    const files = ['server/src/a.ts', 'server/src/a.test.ts', 'e2e/b.ts', 'web/test/c.ts', 'd.json']
    expect(files.filter(isProduct)).toEqual(['server/src/a.ts'])
    expect(files.filter(isTest)).toEqual(['server/src/a.test.ts', 'e2e/b.ts', 'web/test/c.ts'])
  })
})
