// Compares with its budget how much compressed JavaScript a first visit of each screen loads before
// anything is pressed, and how large the fonts of the first paint are. Counted from the build: the
// entry, the bar, the screen, and what these import. `e2e/layout-shift.spec.ts` checks the same
// budgets in a browser, including everything that loads by itself.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

const kilobyte = 1000

/**
 * Most brotli bytes of scripts that a first visit of a screen may load: 155 kB is the aim for a
 * player's screen, and more if it has a form with its schema, the opening with its dialogs, or the
 * code that verifies draws. The budget of `/admin` applies to each of its tabs.
 */
export const budgets = {
  '/': 112 * kilobyte,
  '/dashboard': 140 * kilobyte,
  '/twitch-streams': 141 * kilobyte,
  '/leaderboard': 140 * kilobyte,
  '/store': 142 * kilobyte,
  '/my-prizes': 155 * kilobyte,
  '/history': 160 * kilobyte,
  '/profile': 175 * kilobyte,
  '/inventory': 180 * kilobyte,
  '/fairness': 178 * kilobyte,
  '/admin': 231 * kilobyte,
}

/** Most files of a player's screen: a connection carries six at a time. */
const filesMax = 25

/**
 * Most bytes of fonts of the first paint: headings 14 kB and texts 20 kB. Emoji load when one is
 * seen.
 */
const fontBudget = 36 * kilobyte

const entry = 'index.html'
const bar = 'src/app/framed.tsx'
/** What every screen starts with, as keys of the manifest. */
export const everyScreen = [entry, bar]
/** What a screen loads by itself once it is shown. */
const loadedNext = { '/inventory': ['src/features/packs/opening-modal.tsx'] }

/**
 * What the screens of a built web application load.
 * @param dist folder of the build, with its manifest
 * @returns rows of address, bytes, files and budget; an admin row for each tab
 */
export function scriptLoads(dist = join(root, 'web/dist')) {
  const manifest = manifestOf(dist)
  const loadOf = (keys) => {
    const files = filesOf(manifest, keys)
    const bytes = files.reduce((sum, file) => sum + sentBytes(join(dist, file)), 0)
    return { bytes, files: files.length }
  }
  return Object.entries(budgets).flatMap(([address, budget]) => {
    if (address === '/') return [{ address, budget, filesMax, ...loadOf([entry]) }]
    const screen = keyOf(manifest, address.slice(1))
    const usual = [...everyScreen, screen, ...(loadedNext[address] ?? [])]
    if (address !== '/admin') return [{ address, budget, filesMax, ...loadOf(usual) }]
    return manifest[screen].dynamicImports.map((panel) => ({
      address: `/admin, ${panel.replace(/.*\/|\.tsx$/g, '')}`,
      budget,
      ...loadOf([...usual, panel]),
    }))
  })
}

/** Which file of a built web application imports which. */
export function manifestOf(dist) {
  return JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
}

/** The files of these manifest keys and all that they import, each once. */
export function filesOf(manifest, keys) {
  const files = new Set()
  const follow = (key) => {
    const { file, imports = [] } = manifest[key] ?? missing(key)
    if (files.has(file)) return
    files.add(file)
    for (const next of imports) follow(next)
  }
  for (const key of keys) follow(key)
  return [...files]
}

/** A screen whose file other screens also need is known only by its name. */
function keyOf(manifest, name) {
  const own = `src/screens/${name}.tsx`
  if (manifest[own] !== undefined) return own
  return Object.keys(manifest).find((key) => manifest[key].name === name) ?? missing(own)
}

function missing(key) {
  throw new Error(`The build has no ${key}: the screens are no longer split as this file expects`)
}

/** Size as the server sends it: compressed if there is such a file. */
function sentBytes(file) {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
}

/** The fonts that a built page loads before anything is shown. */
export const fontsOf = (page) =>
  [...page.matchAll(/as="font"[^>]*href="\/([^"]+)"/g)].map(([, file]) => file)

function fontLoad(dist = join(root, 'web/dist')) {
  const files = fontsOf(readFileSync(join(dist, 'index.html'), 'utf8'))
  const bytes = files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)
  return { address: 'fonts of every page', bytes, budget: fontBudget }
}

/** Prints what every screen loads; true when none is over its budget, or in too many files. */
export function checkScriptBudgets() {
  const rows = [...scriptLoads(), fontLoad()]
  for (const row of rows) {
    const { address, bytes, budget, files } = row
    const word = isTooMuch(row) ? '  TOO MUCH' : ''
    const figures = `${inKilobytes(bytes)} of ${inKilobytes(budget)} kB`
    const count = files === undefined ? '' : ` in ${files} files`
    console.log(`${figures.padStart(20)}  ${address}${count}${word}`)
  }
  return !rows.some(isTooMuch)
}

function isTooMuch({ bytes, budget, files = 0, filesMax = Number.POSITIVE_INFINITY }) {
  return bytes > budget || files > filesMax
}

function inKilobytes(bytes) {
  return (bytes / kilobyte).toFixed(1)
}
