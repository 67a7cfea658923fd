// Texts larger than usual on a phone, and colours of the reader's own: nothing is wider than the
// window, every control has a line around it, and the place where one is has a mark.

import { type Browser, expect, type Page } from '@playwright/test'
import { everyThird } from '../server/test/everyday.ts'
import { test } from './product.ts'
import { playerScreens, staffScreens } from './screens.ts'
import { keeper, narrow, openScreen, signInAsStaff, signInWithPrizes } from './support.ts'

/** What readers want in place of the usual 16 pixels, and the phone on which they want it. */
const largeTexts = [
  { pixels: 32, phone: narrow },
  { pixels: 24, phone: { width: 412, height: 915 } },
]

async function enterAsPlayer(page: Page): Promise<void> {
  await signInWithPrizes(page)
  // What a draw brings differs from run to run; the widest rows must fit as well.
  await page.route('**/api/user/openings', async (route) => {
    const answer = await route.fetch()
    const openings: { redCoinEarned: number; createdAt: string }[] = await answer.json()
    for (const opening of openings) {
      opening.redCoinEarned = 250_000
      opening.createdAt = opening.createdAt.replace(/T.*/, 'T20:48:40.000Z')
    }
    await route.fulfill({ response: answer, json: openings })
  })
  await page.route(/\/api\/(packs\/types|store\/listings)$/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replaceAll('Starter Pack', 'Zwanzigjahresfeierpackung')
    await route.fulfill({ response: answer, body })
  })
}

const enterAsStaff = (page: Page) => signInAsStaff(page, keeper)

async function expectNoSidewaysScroll(
  browser: Browser,
  baseURL: string,
  enter: (page: Page) => Promise<void>,
  addresses: readonly string[],
  { pixels, phone }: (typeof largeTexts)[number],
): Promise<void> {
  const page = await browser.newPage({ baseURL, viewport: phone })
  await enter(page)
  const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
  expect(size).toBe(`${pixels}px`)
  for (const address of addresses) {
    await openScreen(page, address)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, address).toBeLessThanOrEqual(phone.width)
  }
  await page.close()
}

for (const large of largeTexts) {
  test(`no screen scrolls sideways on a phone with texts of ${large.pixels} pixels`, async ({
    playwright,
    launchOptions,
    productUrl,
  }) => {
    test.setTimeout(180_000)
    const args = [
      ...(launchOptions.args ?? []),
      `--blink-settings=defaultFontSize=${large.pixels},defaultFixedFontSize=26`,
    ]
    const browser = await playwright.chromium.launch({ ...launchOptions, args })
    const players = everyThird(['/', ...playerScreens])
    await Promise.all([
      expectNoSidewaysScroll(browser, productUrl, enterAsPlayer, players, large),
      expectNoSidewaysScroll(browser, productUrl, enterAsStaff, everyThird(staffScreens), large),
    ])
    await browser.close()
  })
}

/** Controls on screen whose line cannot be seen, named by their tag and words. */
function controlsWithoutLine(): string[] {
  const controls = 'button, input, select, textarea, summary, [role="tab"], [role="switch"]'
  return [...document.querySelectorAll<HTMLElement>(controls)]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => {
      const { width, height } = control.getBoundingClientRect()
      // What only screen readers meet, and fields that lie under a drawn control.
      return width > 2 && height > 2 && control.getAttribute('aria-hidden') !== 'true'
    })
    .filter((control) => {
      const look = getComputedStyle(control)
      const isDrawn = look.borderTopStyle !== 'none' && Number.parseFloat(look.borderTopWidth) >= 1
      return !isDrawn || look.borderTopColor === look.backgroundColor
    })
    .map((control) => `${control.tagName} ${control.textContent?.slice(0, 30)}`)
}

/** Whether each place that is marked as the current one has a line that its neighbours lack. */
function currentPlaces(): { readonly name: string; readonly isMarked: boolean }[] {
  return [...document.querySelectorAll<HTMLElement>('[aria-current]')]
    .filter((place) => place.checkVisibility({ visibilityProperty: true }))
    .map((place) => {
      const look = getComputedStyle(place)
      const isMarked = look.outlineStyle === 'solid' && Number.parseFloat(look.outlineWidth) >= 2
      return { name: place.textContent ?? '', isMarked }
    })
}

test('lines tell controls and the current place in colours of the reader', async ({
  browser,
  productUrl,
}) => {
  const look = async (enter: (page: Page) => Promise<void>, addresses: readonly string[]) => {
    const page = await browser.newPage({ baseURL: productUrl, forcedColors: 'active' })
    await enter(page)
    for (const address of addresses) {
      await openScreen(page, address)
      expect.soft(await page.evaluate(controlsWithoutLine), address).toEqual([])
      const places = await page.evaluate(currentPlaces)
      expect
        .soft(
          places.filter(({ isMarked }) => !isMarked),
          address,
        )
        .toEqual([])
      if (address !== '/profile' && address !== '/fairness') expect(places).not.toEqual([])
    }
    await page.close()
  }
  await look(enterAsPlayer, ['/inventory', '/my-prizes', '/store', '/profile', '/leaderboard'])
  const tabs = ['overview', 'distribute', 'fresh-users', 'settings', 'twitch-streams']
  await look(
    enterAsStaff,
    tabs.map((tab) => `/admin?tab=${tab}`),
  )
})
