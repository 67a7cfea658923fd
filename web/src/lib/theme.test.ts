// The theme on the page: the style sheet's own palette, and a theme painted at run time.

import {
  deriveThemePalette,
  paletteVariables,
  themeContract,
  themeDefault,
  themePresets,
} from '@redpack/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { answers, hangs, mockServer } from '../../test/mock-server.ts'
import sheet from '../styles/palette.css?raw'
import { applyTheme, loadTheme, packTint } from './theme.ts'

const server = mockServer()

function declared(css: string): Record<string, string> {
  return Object.fromEntries(
    [...css.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
  )
}

afterEach(() => {
  applyTheme(themeDefault)
  document.documentElement.removeAttribute('style')
})

describe('the palette in the style sheet', () => {
  const [standard = '', more = ''] = sheet.split('@media')

  it('is what the default theme derives to', () => {
    expect(declared(standard)).toEqual(paletteVariables(deriveThemePalette(themeDefault)))
  })

  it('is what it derives to for readers who need more contrast', () => {
    expect({ ...declared(standard), ...declared(more) }).toEqual(
      paletteVariables(deriveThemePalette(themeDefault, 'more')),
    )
  })
})

describe('applyTheme', () => {
  it('paints every variable of the palette on the root', () => {
    const { theme } = themePresets[1]!
    applyTheme(theme)
    for (const [name, value] of Object.entries(paletteVariables(deriveThemePalette(theme)))) {
      expect(document.documentElement.style.getPropertyValue(name)).toBe(value)
    }
  })

  it('gives the bar of a phone the colour of the page', () => {
    const bar = document.createElement('meta')
    bar.name = 'theme-color'
    document.head.append(bar)
    applyTheme({ ...themeDefault, backgroundPrimary: '#ffffff' })
    expect(bar.content).toBe('#ffffff')
    bar.remove()
  })

  it('remembers only a theme that is not the default', () => {
    applyTheme(themePresets[2]!.theme)
    expect(localStorage.length).toBe(1)
    applyTheme(themeDefault)
    expect(localStorage.length).toBe(0)
  })
})

describe('loadTheme', () => {
  it('asks anew where an answer to an earlier question is still on its way', async () => {
    const { theme } = themePresets[1]!
    const queryClient = new QueryClient()
    server.use(hangs(themeContract.theme))
    const earlier = loadTheme(queryClient)
    server.use(answers(themeContract.theme, theme))
    await Promise.all([earlier, loadTheme(queryClient)])
    const { style } = document.documentElement
    for (const [name, value] of Object.entries(paletteVariables(deriveThemePalette(theme)))) {
      expect(style.getPropertyValue(name)).toBe(value)
    }
  })
})

describe('packTint', () => {
  it('draws the three named themes in their colours and any hex directly', () => {
    const fills = ['twitch-purple', 'electric-blue', 'gaming-orange', '#12AB34'].map(
      (color) => packTint(color, themeDefault).fill,
    )
    expect(fills).toEqual(['#9146ff', '#0080ff', '#ff6b35', '#12ab34'])
  })

  it('falls back for a colour nobody knows', () => {
    expect(packTint('mauve-ish', themeDefault).fill).toBe('#0080ff')
  })
})
