// Takes pictures of every screen at three widths and of the chosen ones in every theme, and writes
// them with their page into docs/pictures.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { themePresets } from '../../contract/src/index.ts'
import { readyAt, startProduct, stop } from '../product-process.ts'
import { ask, keeper, send, signIn, signInAsStaff } from '../support.ts'
import { type Picture, pageOfPictures } from './page-of-pictures.ts'
import { type GivePacks, type Scene, scenes, type Who } from './scenes.ts'
import { shiftedDate, startMillis } from './shifted-date.mjs'

const folder = 'docs/pictures'
const port = Number(process.env['E2E_PORT'] ?? 3217)
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const
const themedWidths = [390, 1280]
const quality = 74
/** A newcomer, who begins with packs of every type. */
const newcomer = 'pixelpia'

/** A browser for each kind of visitor. */
type Contexts = Readonly<Record<Who, BrowserContext>>

async function contextsOn(browser: Browser, baseURL: string): Promise<Contexts> {
  const enter = async (how: (page: Page) => Promise<void>) => {
    // A picture is one first visit; a worker that fills its cache beside it only makes it late.
    const context = await browser.newContext({ baseURL, serviceWorkers: 'block' })
    const shift = startMillis - Date.now()
    await context.addInitScript(`globalThis.Date = (${shiftedDate})(Date, ${shift})`)
    const page = await context.newPage()
    await how(page)
    await page.close()
    return context
  }
  return {
    player: await enter(enterAsPlayer),
    visitor: await enter(async () => {}),
    staff: await enter(enterAsStaff),
  }
}

async function enterAsPlayer(page: Page): Promise<void> {
  await signIn(page, newcomer)
  const holdings = await ask<{ packTypeId: number; quantity: number }[]>(page, '/api/user/packs')
  for (const { packTypeId, quantity } of holdings) {
    await send(page, '/api/packs/open', { packTypeId, quantity: Math.ceil(quantity / 3) })
  }
}

/** Some work of staff, so that their log is not empty. */
async function enterAsStaff(page: Page): Promise<void> {
  await signInAsStaff(page, keeper)
  const art = { usernames: ['cocoacomet', 'echoember'], description: 'Won the art contest' }
  await send(page, '/api/admin/distribute-redcoin', { ...art, amount: 150 })
  const luck = { usernames: ['bumblebard'], description: 'Named the new mascot' }
  await send(page, '/api/admin/distribute-packs', { ...luck, packTypeId: 2, quantity: 2 })
}

async function asStaff(staff: BrowserContext, address: string, body: object): Promise<void> {
  const page = await staff.newPage()
  await page.goto('/')
  await send(page, address, body)
  await page.close()
}

// A function: the page's policy forbids to evaluate texts.
const isSettled = () =>
  document.fonts.status === 'loaded' &&
  [...document.images].every(({ complete, loading }) => complete || loading === 'lazy') &&
  !document.querySelector('[aria-busy="true"]')

async function take(
  contexts: Contexts,
  scene: Scene,
  size: (typeof sizes)[number],
  suffix = '',
): Promise<Picture> {
  const page = await contexts[scene.who].newPage()
  try {
    await page.setViewportSize(size)
    await page.goto(scene.address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await page.waitForFunction(isSettled)
    const give: GivePacks = (packTypeId, quantity) =>
      asStaff(contexts.staff, '/api/admin/distribute-packs', {
        usernames: [newcomer],
        description: 'For a picture',
        packTypeId,
        quantity,
      })
    await scene.prepare?.(page, give)
    const animations = scene.isMoving ? 'allow' : 'disabled'
    const file = `${scene.name}-${size.width}${suffix}.webp`
    const picture = sharp(await page.screenshot({ animations }))
    await picture.webp({ quality, effort: 6 }).toFile(join(folder, file))
    // An opening that is left alone would be offered again on the pictures to come.
    if (scene.isMoving) await page.keyboard.press('Escape')
    return { file, width: size.width }
  } finally {
    await page.close()
  }
}

async function takeAll(
  contexts: Contexts,
  taken: readonly Scene[],
  widths: readonly number[],
  suffix = '',
) {
  const rows: { scene: Scene; pictures: Picture[] }[] = []
  for (const scene of taken) {
    const pictures: Picture[] = []
    for (const size of sizes.filter(({ width }) => widths.includes(width))) {
      pictures.push(await take(contexts, scene, size, suffix))
    }
    console.log(`${scene.title}${suffix && `, ${suffix.slice(1)}`}`)
    rows.push({ scene, pictures })
  }
  return rows
}

const allWidths = sizes.map(({ width }) => width)

async function pictureEverything(contexts: Contexts): Promise<void> {
  const rows = await takeAll(contexts, scenes, allWidths)
  const themes = []
  for (const { name, theme } of themePresets.slice(1)) {
    await asStaff(contexts.staff, '/api/admin/settings/theme', theme)
    const suffix = `-${name.toLowerCase().replaceAll(' ', '-')}`
    const chosen = scenes.filter(({ isInEveryTheme }) => isInEveryTheme)
    themes.push({ name, rows: await takeAll(contexts, chosen, themedWidths, suffix) })
  }
  writeFileSync(join(folder, 'README.md'), pageOfPictures(rows, themes))
  const all = [...rows, ...themes.flatMap(({ rows: themed }) => themed)]
  const made = new Set(all.flatMap(({ pictures }) => pictures.map(({ file }) => file)))
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.webp') && !made.has(name)) rmSync(join(folder, name))
  }
}

/** Words name the scenes to take again in the default theme; without any, everything is taken. */
const named = process.argv.slice(2)
const data = mkdtempSync(join(tmpdir(), 'redpack-pictures-'))
const product = startProduct(port, data, {
  demoDays: 42,
  words: ['--import', './e2e/pictures/fixed-start.mjs'],
})
try {
  const url = await readyAt(product, port)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--lang=en-US'],
  })
  const contexts = await contextsOn(browser, url)
  if (named.length === 0) await pictureEverything(contexts)
  else
    await takeAll(
      contexts,
      scenes.filter(({ name }) => named.includes(name)),
      allWidths,
    )
  await browser.close()
} finally {
  await stop(product)
  rmSync(data, { recursive: true, force: true })
}
