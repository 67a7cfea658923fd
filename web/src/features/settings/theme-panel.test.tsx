// The Settings tab: presets, fields, preview, what was adjusted, and saving for everyone.

import {
  adminOverviewContract,
  adminThemeContract,
  deriveThemePalette,
  standingContract,
  type Theme,
  themeContract,
  themeDefault,
  themePresets,
} from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { findToast, lastToast } from '../../../test/toasts.ts'
import { brand } from '../../lib/brand.ts'
import { applyTheme } from '../../lib/theme.ts'
import { adjustmentsOf, colorUses, themeFields } from './contrast-report.tsx'
import { ThemePanel } from './theme-panel.tsx'

const server = mockServer()
const presetOf = (name: string) => themePresets.find((one) => one.name === name)?.theme as Theme
const ocean = presetOf('Ocean Blue')
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  server.use(
    answers(adminThemeContract.theme, themeDefault),
    answers(adminOverviewContract.economySettings, { consolationRedCoin: 5 }),
    answers(standingContract.nameWords, { words: [], hidesAtOnce: false }),
    records(adminThemeContract.save, ocean, sent),
  )
})
afterEach(() => applyTheme(themeDefault))

async function openTab() {
  const rendered = await renderPart(<ThemePanel />)
  await screen.findByRole('heading', { name: 'Live preview' })
  return rendered
}
const field = (label: string) => screen.getByRole<HTMLInputElement>('textbox', { name: label })
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const preview = () => screen.getByRole('region', { name: 'Live preview' })
const painted = (element: HTMLElement, name: string) => element.style.getPropertyValue(name)

describe('the preview', () => {
  it('shows the name of the brand', async () => {
    const { name } = brand
    Object.assign(brand, { name: 'Lucky Box' })
    await openTab()
    expect(within(preview()).getByText('Lucky Box')).toBeTruthy()
    Object.assign(brand, { name })
  })
})

describe('the fields', () => {
  it('are eight, with the defaults while none is saved', async () => {
    await openTab()
    const fields = screen.getAllByRole<HTMLInputElement>('textbox')
    const shown = fields.filter(({ tagName }) => tagName === 'INPUT').map(({ value }) => value)
    expect(shown).toEqual([
      '#ff6b6b',
      '#4ecdc4',
      '#ffd93d',
      '#1a1a2e',
      '#16213e',
      '#ffffff',
      '#a0a0a0',
      '#374151',
    ])
  })

  it.each(['Gaming Purple', 'Neon Glow', 'Ocean Blue'])(
    'are filled by the preset %s, which saves nothing yet',
    async (name) => {
      const { user } = await openTab()
      const presets = within(screen.getByRole('radiogroup', { name: 'Presets' }))
      expect(presets.getAllByRole('radio')).toHaveLength(3)
      await user.click(presets.getByRole('radio', { name }))
      for (const { key, label } of themeFields) {
        expect(field(label).value).toBe(presetOf(name)[key])
      }
      expect(presets.getByRole('radio', { name }).getAttribute('aria-checked')).toBe('true')
      expect(painted(preview(), '--page-surface')).toBe(presetOf(name).backgroundPrimary)
      expect(sent).toEqual([])
    },
  )

  it('can be picked, and the hex follows', async () => {
    await openTab()
    fireEvent.change(screen.getByLabelText('Pick accent color'), { target: { value: '#3dc4ff' } })
    expect(field('Accent color').value).toBe('#3DC4FF')
  })

  it('are all required, each with its sentence, and hex', async () => {
    const { user } = await openTab()
    for (const { label } of themeFields) type(label, ' ')
    await user.click(screen.getByRole('button', { name: 'Update Theme' }))
    for (const { label } of themeFields) {
      expect(screen.getByText(`${label} is required`)).toBeTruthy()
    }
    expect(document.activeElement).toBe(field('Primary color'))
    type('Accent color', 'gold')
    await user.click(screen.getByRole('button', { name: 'Update Theme' }))
    expect(screen.getByText('Accent color must be a hex color')).toBeTruthy()
    expect(sent).toEqual([])
  })
})

describe('the preview', () => {
  it('follows the fields, and the page stays as it is', async () => {
    await openTab()
    const before = painted(document.documentElement, '--page-surface')
    type('Background primary color', '#102030')
    expect(painted(preview(), '--page-surface')).toBe('#102030')
    type('Primary color', '#00ff00')
    expect(painted(preview(), '--primary-fill')).toBe('#00ff00')
    type('Primary color', '#00f')
    type('Primary color', '#00ff')
    expect(painted(preview(), '--primary-fill')).toBe(deriveThemePalette(themeDefault).primary.fill)
    expect(painted(document.documentElement, '--page-surface')).toBe(before)
  })

  it('comes with what was adjusted, before and after', async () => {
    await openTab()
    const report = () => within(screen.getByRole('list', { name: 'Adjusted for contrast' }))
    expect(report().getAllByText(/Edges of inputs and switches/)).toHaveLength(2)
    expect(report().queryByText(/Secondary text/)).toBeNull()
    type('Text secondary color', '#333355')
    expect(report().getAllByText(/Secondary text/)).toHaveLength(2)
    expect(report().getAllByText('#333355')).toHaveLength(2)
  })
})

describe('what was adjusted', () => {
  const hex = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  const anyTheme = fc
    .tuple(hex, hex, hex, hex, hex, hex, hex, hex)
    .map(
      (colors) =>
        Object.fromEntries(themeFields.map(({ key }, at) => [key, colors[at]])) as unknown as Theme,
    )

  it('is exactly what needed it, and reaches its goal, for any theme', () => {
    fc.assert(
      fc.property(anyTheme, (theme) => {
        for (const { before, after, ratioBefore, ratioAfter, goal, what } of colorUses(theme)) {
          expect(ratioAfter).toBeGreaterThanOrEqual(goal)
          // Body text aims higher than its goal; everything else moves only when it must.
          if (what !== 'Text') expect(before !== after).toBe(ratioBefore < goal)
        }
        expect(adjustmentsOf(theme).every(({ before, after }) => before !== after)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('saving', () => {
  it('sends the eight colors, paints the page and can be undone', async () => {
    const { user, queryClient } = await openTab()
    await user.click(screen.getByRole('radio', { name: 'Ocean Blue' }))
    await user.click(screen.getByRole('button', { name: 'Update Theme' }))
    await findToast({ title: 'Success' })
    expect(sent).toMatchObject([{ path: adminThemeContract.save.path, body: ocean }])
    const page = document.documentElement
    expect(painted(page, '--page-surface')).toBe(ocean.backgroundPrimary)
    expect(queryClient.getQueryData([themeContract.theme.path])).toEqual(ocean)
    server.use(records(adminThemeContract.save, themeDefault, sent))
    lastToast()?.action?.onSelect()
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]?.body).toEqual({ ...themeDefault, expected: ocean })
    await waitFor(() =>
      expect(painted(page, '--page-surface')).toBe(themeDefault.backgroundPrimary),
    )
    await waitFor(() => expect(field('Primary color').value).toBe('#ff6b6b'))
  })

  it('the default colors happens at once, after asking', async () => {
    server.use(
      answers(adminThemeContract.theme, ocean),
      records(adminThemeContract.save, themeDefault, sent),
    )
    const { user } = await openTab()
    expect(field('Primary color').value).toBe(ocean.primaryColor)
    await user.click(screen.getByRole('button', { name: 'Reset to Default' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(sent).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(sent).toMatchObject([{ body: themeDefault }]))
    await waitFor(() => expect(field('Primary color').value).toBe('#ff6b6b'))
  })

  it('says when it failed, and keeps what was chosen', async () => {
    server.use(refuses(adminThemeContract.save, 400, 'Accent color must be a hex color'))
    const { user } = await openTab()
    type('Accent color', '#123456')
    await user.click(screen.getByRole('button', { name: 'Update Theme' }))
    const title = 'Error updating color theme'
    const look = { title, variant: 'destructive', duration: 5000 } as const
    await findToast({
      ...look,
      description: 'Accent color must be a hex color',
    })
    const noAnswer = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
    await user.click(screen.getByRole('button', { name: 'Update Theme' }))
    await findToast({ ...look, description: 'Failed to update color theme' })
    noAnswer.mockRestore()
    expect(field('Accent color').value).toBe('#123456')
  })
})

describe('the consolation', () => {
  it('is shown and saved, 0 included', async () => {
    server.use(records(adminOverviewContract.saveEconomySettings, { consolationRedCoin: 0 }, sent))
    const { user } = await openTab()
    const amount = await screen.findByLabelText<HTMLInputElement>('RedCoin for a losing pack')
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect([amount.value, button.disabled]).toEqual(['5', true])
    for (const value of ['-1', '1.5', '']) {
      fireEvent.change(amount, { target: { value } })
      expect([value, button.disabled]).toEqual([value, true])
    }
    fireEvent.change(amount, { target: { value: '0' } })
    await user.click(button)
    await findToast({ description: 'Losing packs now pay 0 RedCoin' })
    expect(sent).toMatchObject([{ body: { consolationRedCoin: 0 } }])
  })
})
