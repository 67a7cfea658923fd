// What axe finds on a page, in the theme it has and in every other that is offered.

import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { type Theme, themeDefault } from '../contract/src/theme.ts'
import {
  deriveThemePalette,
  paletteVariables,
  themePresets,
} from '../contract/src/theme-palette.ts'

/** Expects that axe finds nothing; `rules` narrows it down to these. */
export async function expectAccessible(
  page: Page,
  where: string,
  rules: readonly string[] = [],
): Promise<void> {
  // The pages hold no frames, so one analysis in the page itself sees all.
  const axe = new AxeBuilder({ page })
    // Describing all that is well takes longer than finding what is not.
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    // Very faint by wish of the specification, until somebody points at it.
    .exclude('.hero-foot > .button')
  if (rules.length > 0) axe.withRules([...rules])
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html}`)).toEqual([])
}

export interface ThemedPage {
  /**
   * Expects that axe finds nothing on what the page shows now, and that its colours have contrast
   * enough in every other theme as well: a theme changes colours alone, so that all other rules say
   * the same in each. The page is left in the last of the themes, and the next check starts there.
   */
  check(where: string): Promise<void>
}

const nameOf = (theme: Theme) => themePresets.find((preset) => preset.theme === theme)?.name

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
  }
  return {
    async check(where) {
      const first = theme
      await painted()
      await expectAccessible(page, `${where} in ${nameOf(first)}`)
      for (const { name, theme: other } of themePresets) {
        if (other === first) continue
        await paint(other)
        await expectAccessible(page, `${where} in ${name}`, ['color-contrast'])
      }
    },
  }
}
