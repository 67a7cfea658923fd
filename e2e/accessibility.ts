// What axe finds on a page, in the theme it has and in others that are offered.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { type Theme, themeDefault } from '../contract/src/theme.ts'
import {
  deriveThemePalette,
  paletteVariables,
  themePresets,
} from '../contract/src/theme-palette.ts'
import { everyday } from '../server/test/everyday.ts'

/** Very faint by wish of the specification, until somebody points at it. */
const faint = '.hero-foot > .button'
/** Rows that say in other words what those above them say. */
const furtherRows = everyday(['tbody > tr:nth-child(n + 5)'], [])
/** What lies above a page, which is looked at before or after by itself. */
const above = ['[role=dialog]', '[role=alertdialog]', '[role=menu]']
const messages = '.toast'
/** Half a megabyte; the file that is not minified takes a page twice as long to read. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Runs axe in the page; answers each rule that is broken with the element that breaks it. */
async function violations(
  page: Page,
  context: { readonly include?: readonly string[] },
  options: axe.RunOptions,
): Promise<string[]> {
  // A page keeps it until it is left.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(
    async ([exclude, { include }, how]) => {
      const where = { exclude: [...exclude], ...(include ? { include: [...include] } : {}) }
      // Describing all that is well takes longer than finding what is not.
      const found = await window.axe.run(where, { ...how, resultTypes: ['violations'] })
      return found.violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
    },
    [[faint, ...furtherRows], context, options] as const,
  )
}

const contrast = 'color-contrast'

/** What is to be looked at for its colours: what lies above the page, as long as something does. */
async function inFront(page: Page): Promise<readonly string[] | undefined> {
  const shown = await page.evaluate(
    (selectors) => selectors.filter((selector) => document.querySelector(selector) !== null),
    [...above, messages],
  )
  return shown.some((selector) => above.includes(selector)) ? shown : undefined
}

async function faintTexts(page: Page, include: readonly string[] | undefined): Promise<string[]> {
  const context = include ? { include } : {}
  return violations(page, context, { runOnly: { type: 'rule', values: [contrast] } })
}

/** Measuring colours takes three times as long as all other rules. */
async function everyViolation(page: Page, isColoured: boolean): Promise<string[]> {
  const withoutColours = () => violations(page, {}, { rules: { [contrast]: { enabled: false } } })
  if (!isColoured) return withoutColours()
  const include = await inFront(page)
  if (include === undefined) return violations(page, {}, {})
  return [...(await withoutColours()), ...(await faintTexts(page, include))]
}

const expectNone = (where: string, found: readonly string[]) =>
  expect(found.map((finding) => `${where}: ${finding}`)).toEqual([])

/**
 * Waits until what appears has arrived, and colours too: a dialog that is not there to be seen yet
 * is none for axe, and colours halfway from one theme to the other have the contrast of neither.
 * Those that an element inherits start when those around it have arrived.
 */
async function arrived(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // What moves all the time, or as slowly as a clock, does not arrive.
    const millisMax = 1_000
    const onTheirWay = () =>
      document.getAnimations().filter(({ effect, playState }) => {
        const end = Number(effect?.getComputedTiming().endTime ?? 0)
        return playState === 'running' && end <= millisMax
      })
    for (let round = 0; round < 3; round += 1) {
      const arrival = onTheirWay().map(({ finished }) => finished)
      const patience = new Promise((resolve) => setTimeout(resolve, 2 * millisMax))
      await Promise.race([Promise.allSettled(arrival), patience])
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      if (onTheirWay().length === 0) return
    }
  })
}

/** Expects that the page is no wider than the smallest phone's window, when it has shrunk to it. */
export async function expectNarrowEnough(page: Page, where: string): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  await arrived(page)
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, { message: `${where} at 320 px` }).toBe(0)
  if (before) await page.setViewportSize(before)
}

/** Expects that axe finds nothing; where colours are not looked at, by its other rules. */
export async function expectAccessible(
  page: Page,
  where: string,
  isColoured = true,
): Promise<void> {
  await arrived(page)
  expectNone(where, await everyViolation(page, isColoured))
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Of how many checks in a row one looks at colours too, on days without long runs. */
const checksForColours = 3

/** Whether the colours of a check are looked at today; `index` counts the checks from 0. */
export const isColoured = (index: number): boolean => everyday(index % checksForColours === 0, true)

export interface ThemedPage {
  /**
   * Expects that axe finds nothing on what the page shows now in the theme that the product comes
   * with. A theme changes colours alone, so that all other rules say the same in each. The first
   * check and every third one after it also look at colours, the first one in a hostile theme too;
   * under `npm run test:faults` each does, in every theme.
   */
  check(where: string): Promise<void>
}

/** What nobody would choose: every colour is the same grey, as far from black as from white. */
const grey = '#777777'
const themes = [
  ...themePresets,
  {
    name: 'a hostile theme',
    theme: {
      primaryColor: grey,
      secondaryColor: grey,
      accentColor: grey,
      backgroundPrimary: grey,
      backgroundSecondary: grey,
      textPrimary: grey,
      textSecondary: grey,
      borderColor: grey,
    },
  },
]

const others = themes.filter(({ theme }) => theme !== themeDefault)

/**
 * Makes the page's theme one that the test chooses. Call it before the first address is opened.
 * Screens with a socket are told of a new theme as by staff who save one; others are loaded anew.
 */
export async function themedPage(page: Page): Promise<ThemedPage> {
  let theme: Theme = themeDefault
  let tell: (() => void) | undefined
  await page.route('**/api/settings/theme', (route) => route.fulfill({ json: theme }))
  await page.routeWebSocket('**/api/realtime', (socket) => {
    tell = () => socket.send(JSON.stringify({ changed: ['theme'] }))
    socket.onClose(() => {
      tell = undefined
    })
  })
  page.on('framenavigated', () => {
    tell = undefined
  })
  const paint = async (next: Theme) => {
    theme = next
    if (tell) tell()
    else await page.reload()
    await painted()
  }
  const painted = async () => {
    const wanted = paletteVariables(deriveThemePalette(theme))
    await page.waitForFunction((values) => {
      const { style } = document.documentElement
      return values.every(([name, value]) => style.getPropertyValue(name) === value)
    }, Object.entries(wanted))
    await arrived(page)
  }
  let turn = 0
  return {
    async check(where) {
      await painted()
      await expectAccessible(page, `${where} in ${themes[0]?.name}`, isColoured(turn))
      const one = turn === 0 ? others.slice(-1) : []
      const alsoIn = everyday(one, others)
      turn += 1
      for (const { name, theme: other } of alsoIn) {
        await paint(other)
        expectNone(`${where} in ${name}`, await faintTexts(page, await inFront(page)))
      }
      if (alsoIn.length > 0) await paint(themeDefault)
    },
  }
}
