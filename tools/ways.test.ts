// The ways through the server in ARCHITECTURE.md are short, and their files exist; rooms form no
// circle.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from './tidy/repository-files.ts'

const filesMax = 15
const page = readFileSync(join(repositoryRoot, 'ARCHITECTURE.md'), 'utf8')
const section = /^## Nine ways through the server\n([\s\S]*?)^## /m.exec(page)?.[1] ?? ''

/** A way is a headline in bold and a block with a folder and its files on each line. */
const ways = [...section.matchAll(/^\*\*(.+?)\.?\*\*[^`]*?^```\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', block = '']) => ({
    title,
    files: block
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [folder = '', ...names] = line.split(/\s+/)
        return names.map((name) => `server/src/${folder}${name}.ts`)
      }),
  }),
)

it('are nine', () => {
  expect(ways).toHaveLength(9)
})

it.each(ways)('$title: few files that exist, none of them twice', ({ files }) => {
  expect(files.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
  expect(files.length).toBeGreaterThan(1)
  expect(files.length).toBeLessThanOrEqual(filesMax)
})

it('runs few files, through rooms that form no circle, and a field of a prize through five files at most', () => {
  const options = { cwd: repositoryRoot, encoding: 'utf8' } as const
  const said = execFileSync(process.execPath, ['tools/house.mjs', '--names'], options)
  expect(said).toMatch(/^Product files that a new field of a prize touches +[1-5] +5$/m)
  // With what the files of a way bring along.
  const longest = /^Nine ways, files that each runs +\d+ to (\d+) /m.exec(said)?.[1]
  expect(Number(longest)).toBeLessThanOrEqual(filesMax)
  const circles = said.split('\n').filter((line) => line.startsWith('Circles'))
  expect(circles).toHaveLength(3)
  expect(circles.filter((line) => !/ 0 +0$/.test(line))).toEqual([])
})
