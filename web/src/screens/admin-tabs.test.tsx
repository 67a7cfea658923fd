// The tabs of the admin panel: all of them, in their order, by the words of both readings.

import { authContract } from '@redpack/contract'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Gift } from 'lucide-react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, mockServer } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { adminTabNames, tabOfWord, tabWord } from '../compat/admin-tabs.ts'
import { tab } from './admin.tsx'

const server = mockServer()

beforeEach(() => {
  server.use(
    answers(authContract.me, sampleUser({ role: 'admin' })),
    // What stands in the tabs has tests of its own.
    http.get('/api/admin/*', () => new Promise<Response>(() => {})),
    http.get('/api/*', () => HttpResponse.json([])),
  )
})

async function tabsOf(address: string) {
  const rendered = await renderApp(address)
  const bar = within(await screen.findByRole('navigation', { name: 'Admin tabs' }))
  return { ...rendered, tabs: bar.getAllByRole('link') }
}

it('a tab whose code is missing without a network leaves the page as it is', async () => {
  const reload = vi.fn()
  vi.stubGlobal('location', { ...window.location, reload })
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const missing = () => Promise.reject(new TypeError('Importing a module script failed.'))
  const { Panel } = tab(Gift, 'Tab', missing)
  await Panel.preload?.()
  expect(() => render(<Panel />)).toThrow('No network')
  expect(reload).not.toHaveBeenCalled()
})

describe('the tab bar', () => {
  it('has the tabs of both readings in their order', async () => {
    const { tabs } = await tabsOf('/admin')
    const shown = tabs.map((tab) => [tab.textContent, tab.dataset.tab, tab.dataset.tabOther])
    fireEvent.pointerMove(screen.getByRole('button', { name: 'All tabs' }))
    expect((await screen.findByRole('tooltip')).textContent).toBe('All tabs')
    expect(shown.slice(0, 11)).toEqual([
      ['Overview', 'overview', undefined],
      ['Prizes', 'prizes', undefined],
      ['Pack Types', 'pack-types', undefined],
      ['Distribute', 'distribute', undefined],
      ['Store', 'store', undefined],
      ['Prize Claims', 'prize-claims', 'claims'],
      ['Users', 'fresh-users', 'users'],
      ['Settings', 'settings', undefined],
      ['Twitch Streams', 'twitch-streams', 'twitch'],
      ['Discord Bot', 'discord-bot', undefined],
      ['Bot Credentials', 'bot-credentials', undefined],
    ])
  })

  it.each([
    ['prizes', 'Prizes'],
    ['pack-types', 'Pack Types'],
    ['distribute', 'Distribute'],
    ['store', 'Store'],
    ['settings', 'Settings'],
    ['twitch', 'Twitch Streams'],
    ['twitch-streams', 'Twitch Streams'],
    ['discord-bot', 'Discord Bot'],
    ['bot-credentials', 'Bot Credentials'],
  ])('opens by the word %s', async (word, label) => {
    const { tabs } = await tabsOf(`/admin?tab=${word}`)
    const open = tabs.filter((tab) => tab.getAttribute('aria-current') === 'page')
    expect(open.map((tab) => tab.textContent)).toEqual([label])
  })

  it('changes the address, which a reload and the way back keep', async () => {
    const { user, tabs, router } = await tabsOf('/admin?tab=claims&q=mug')
    const users = tabs.find((tab) => tab.textContent === 'Users')
    await user.click(users as HTMLElement)
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'users' }))
    router.history.back()
    await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'mug' }))
  })

  it('shows the overview for a word that means nothing', async () => {
    const { tabs } = await tabsOf('/admin?tab=nonsense')
    expect(tabs[0]?.getAttribute('aria-current')).toBe('page')
  })
})

describe('the words', () => {
  it('are known by either reading, and each means one tab', () => {
    for (const tab of adminTabNames) {
      expect(tabOfWord(tab.id)).toBe(tab)
      expect(tabOfWord(tabWord(tab))).toBe(tab)
    }
    expect(tabOfWord('nonsense')).toBeUndefined()
  })
})
