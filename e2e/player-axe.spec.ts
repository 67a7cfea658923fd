// Every screen of a player, in every theme that is offered, signed in and out: nothing for axe to
// find.

import { expect, type Locator } from '@playwright/test'
import { everyday } from '../server/test/everyday.ts'
import { expectNarrowEnough, type ThemedPage, themedPage } from './accessibility.ts'
import { test } from './product.ts'
import { playerScreens } from './screens.ts'
import { newLogin, openScreen, signIn, signInWithPrizes } from './support.ts'

const signedOut = ['/', '/leaderboard', '/fairness', '/no-such-page']

test.describe('axe finds nothing, and nothing scrolls sideways', () => {
  let themed: ThemedPage
  test.beforeEach(async ({ page }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    themed = await themedPage(page)
  })

  test('on the screens of visitors', async ({ page }) => {
    for (const path of signedOut) {
      await openScreen(page, path)
      await themed.check(path)
      await expectNarrowEnough(page, path)
    }
    await openScreen(page, '/')
    await page.getByRole('button', { name: 'System Access' }).click()
    await expect(page.getByLabel('Password')).toBeVisible()
    await themed.check('local login')
  })

  test('on the screens of a player', async ({ page }) => {
    await signInWithPrizes(page)
    for (const path of playerScreens) {
      await openScreen(page, path)
      await themed.check(path)
      await expectNarrowEnough(page, path)
    }
  })

  test('in dialogs and in streamer mode', async ({ page }) => {
    await signInWithPrizes(page)
    await openScreen(page, '/dashboard')
    await page.getByRole('button', { name: /^Notices/ }).click()
    await expect(page.getByRole('dialog', { name: 'Notices' })).toBeVisible()
    await themed.check('notices')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await themed.check('user menu')
    await openScreen(page, '/profile')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await themed.check('delete account')
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'Hide private details' }).click()
    const masked = ['/profile', '/history', '/my-prizes']
    for (const path of everyday(masked, [...playerScreens])) {
      await openScreen(page, path)
      if (masked.includes(path)) await themed.check(path)
      await expectNarrowEnough(page, `${path} in streamer mode`)
    }
  })
})

test('at 320 px packs leave the button its room, and the pager ends where its list ends', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await signIn(page, newLogin())
  await openScreen(page, '/dashboard')
  const boxOf = async (target: Locator) => {
    const box = await target.boundingBox()
    if (!box) throw new Error('It is not shown')
    return { left: box.x, right: box.x + box.width }
  }
  const button = await boxOf(page.getByRole('link', { name: 'Open now' }))
  for (const pack of await page.locator('.next-step-fan > span').all()) {
    expect((await boxOf(pack)).left).toBeGreaterThan(button.right)
  }
  await openScreen(page, '/leaderboard')
  const pager = page.getByRole('navigation', { name: 'Ranking pages' })
  const next = await boxOf(pager.getByRole('button', { name: 'Next' }))
  expect(next.right).toBeLessThanOrEqual((await boxOf(pager)).right)
})
