// What holds for the calls of every screen: the cookie goes along, and an answer without a text or
// of another shape is an answer.

import { authContract } from '@redpack/contract'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
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
  server.use(answers(authContract.me, sampleUser({ role: 'super_user' })))
  answerAll('')
})

/** Every call but the one for the session is answered with a body and status 200. */
function answerAll(body: string) {
  server.use(
    http.all('/api/*', ({ request }) =>
      new URL(request.url).pathname === authContract.me.path ? undefined : new HttpResponse(body),
    ),
  )
}

const playerScreens = [
  ...['/dashboard', '/inventory', '/my-prizes', '/history', '/history?view=openings', '/store'],
  ...['/profile', '/twitch-streams', '/leaderboard'],
]
const staffTabs = adminTabNames.map((name) => `/admin?tab=${tabWord(name)}`)

it.each(['/admin-old', ...staffTabs])(
  '%s sends the session cookie with all its calls, and is empty or says so',
  async (address) => {
    await openWithNothing(address)
    expectCookieWithAll()
  },
)

function expectCookieWithAll() {
  const calls = sent.filter(({ path }) => path.startsWith('/api/'))
  expect(calls.filter(({ credentials }) => credentials !== 'same-origin')).toEqual([])
}

it.each([...playerScreens, '/fairness'])(
  '%s reads empty answers as nothing, with the cookie, and asks nothing that is for staff',
  async (address) => {
    server.use(answers(authContract.me, sampleUser({ role: 'user' })))
    await openWithNothing(address)
    expectCookieWithAll()
    expect(sent.filter(({ path }) => /^\/api\/(admin|test)\//.test(path))).toEqual([])
    // Nobody can show a profile that is not there; lists and counts are empty without a word.
    const failures = screen.queryAllByText(/^(Error loading|Failed to)/)
    if (address !== '/fairness') expect(failures).toHaveLength(address === '/profile' ? 1 : 0)
  },
)

async function openWithNothing(address: string) {
  const { queryClient, user } = await renderApp(address)
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => {
    expect(document.querySelector('.animate-spin, [aria-busy="true"]')).toBeNull()
    expect(queryClient.isFetching()).toBe(0)
    expect(sent.length).toBeGreaterThan(2)
  })
  expect(screen.queryByText('Something went wrong')).toBeNull()
  return user
}

/** What each list says when there is nothing in it, its count included. */
const lists = [
  { address: '/dashboard', says: ['No recent activity. Start opening packs!'] },
  { address: '/inventory', says: ['No packs to open'] },
  { address: '/my-prizes', says: ['No Physical Prizes Yet', 'Showing 0 of 0 physical prizes'] },
  {
    address: '/my-prizes?filter=redcoin',
    says: ['No RedCoin Prizes Yet', 'Showing 0 of 0 RedCoin prizes'],
  },
  { address: '/history', says: ['No changes yet', '0 changes, newest first'] },
  { address: '/history?view=openings', says: ['No openings here'] },
  { address: '/store', says: ['No Packs Available'] },
  { address: '/leaderboard', says: ['No Rankings Yet'] },
  {
    address: '/twitch-streams',
    says: ['You are not watching a stream', 'No streams yet', 'Nothing completed yet'],
  },
  { address: '/fairness', says: ['No openings here'] },
  { address: '/fairness?tab=how', says: ['Nothing drawn yet'] },
  { address: '/admin?tab=claims&view=shipping', says: ['Nothing here'] },
  { address: '/admin?tab=jobs', says: ['No jobs have run yet'] },
  { address: '/admin?tab=claims', says: ['No claims found matching current filters'] },
  { address: '/admin?tab=fresh-users', says: ['No users found'] },
  { address: '/admin?tab=messages', says: ['No messages yet'] },
  { address: '/admin?tab=audit', says: ['No entries yet'] },
  { address: '/admin?tab=prizes', says: ['No prizes found'] },
  { address: '/admin?tab=pack-types', says: ['No Pack Types Found'] },
  { address: '/admin?tab=store', says: ['No store listings found'] },
  { address: '/admin?tab=twitch-streams', says: ['No streams configured yet'] },
]

it.each(lists)('$address shows that there is nothing, whatever came', async ({ address, says }) => {
  for (const body of ['', '[null]', '{"pagination":{"totalItems":3}}']) {
    answerAll(body)
    await openWithNothing(address)
    for (const text of says) expect(await screen.findAllByText(text), body).not.toEqual([])
    cleanup()
  }
})

it.each(['', 'null', '{}', '[]', '"none"', '[null]'])(
  'counts and notices are none when %j came',
  async (body) => {
    answerAll(body)
    const user = await openWithNothing('/dashboard')
    for (const name of ['Available Packs', 'Total Opened']) {
      expect(screen.getByRole('link', { name: new RegExp(`${name}.*0`) })).toBeTruthy()
    }
    await user.click(screen.getByRole('button', { name: 'Notices' }))
    expect(await within(await screen.findByRole('dialog')).findByText('Nothing new')).toBeTruthy()
  },
)
