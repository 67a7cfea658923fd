// What holds for the calls of every screen: the cookie goes along, and an answer without a text is
// an answer.

import { authContract } from '@redpack/contract'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { retryAtOnce } from '../../test/held-waits.ts'
import { answers, mockServer } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { adminTabNames, tabWord } from '../compat/admin-tabs.ts'

const server = mockServer()
let sent: { readonly path: string; readonly credentials: string | undefined }[]

beforeEach(() => {
  retryAtOnce()
  sent = []
  const send = globalThis.fetch
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    sent.push({ path: String(input), credentials: init?.credentials })
    return send(input, init)
  })
  vi.spyOn(console, 'error').mockReturnValue()
  server.use(
    answers(authContract.me, sampleUser({ role: 'super_user' })),
    http.all('/api/*', ({ request }) =>
      new URL(request.url).pathname === authContract.me.path ? undefined : new HttpResponse(''),
    ),
  )
})

const playerScreens = [
  ...['/dashboard', '/inventory', '/my-prizes', '/history', '/history?view=openings', '/store'],
  ...['/profile', '/twitch-streams', '/leaderboard'],
]
const staffTabs = adminTabNames.map((name) => `/admin?tab=${tabWord(name)}`)

it.each([...playerScreens, '/fairness', ...staffTabs])(
  '%s sends the session cookie with all its calls',
  async (address) => {
    await renderApp(address)
    await screen.findByRole('heading', { level: 1 })
    // The session, the theme or the like, and what the screen itself asks for.
    await waitFor(() => expect(sent.length).toBeGreaterThan(2))
    await waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull())
    const calls = sent.filter(({ path }) => path.startsWith('/api/'))
    expect(calls.filter(({ credentials }) => credentials !== 'same-origin')).toEqual([])
  },
)

it.each([...playerScreens, '/fairness'])('%s asks nothing that is for staff', async (address) => {
  server.use(answers(authContract.me, sampleUser({ role: 'user' })))
  await openWithNothing(address)
  expect(sent.filter(({ path }) => /^\/api\/(admin|test)\//.test(path))).toEqual([])
})

async function openWithNothing(address: string) {
  const { queryClient } = await renderApp(address)
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => {
    expect(document.querySelector('.animate-spin, [aria-busy="true"]')).toBeNull()
    expect(queryClient.isFetching()).toBe(0)
    expect(sent.length).toBeGreaterThan(2)
  })
  expect(screen.queryByText('Something went wrong')).toBeNull()
}

it.each(playerScreens)('%s reads empty answers as nothing', async (address) => {
  await openWithNothing(address)
  // Nobody can show a profile that is not there; lists and counts are empty without a word.
  const failures = screen.queryAllByText(/^(Error loading|Failed to)/)
  expect(failures).toHaveLength(address === '/profile' ? 1 : 0)
})

it.each(['/fairness', '/admin-old', ...staffTabs])(
  '%s is empty or says so when answers are empty',
  openWithNothing,
)
