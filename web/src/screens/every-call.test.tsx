// What holds for the calls of every screen: the cookie goes along, what is awaited or failed is
// said, and an answer without a text or of another shape is an answer.

import {
  adminAuditContract,
  adminBatchesContract,
  adminBotsContract,
  adminEconomyContract,
  adminJobsContract,
  adminOutboxContract,
  adminOverviewContract,
  adminPackTypesContract,
  adminPrizesContract,
  adminServerContract,
  adminShipmentsContract,
  adminStoreContract,
  adminStreamsContract,
  adminThemeContract,
  adminUsersContract,
  authContract,
  deliveryRecordContract,
  drawLogContract,
  type EndpointShape,
  historyContract,
  packsContract,
  storeContract,
  usersContract,
} from '@redpack/contract'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { retryAtOnce } from '../../test/held-waits.ts'
import { answers, holds, mockServer } from '../../test/mock-server.ts'
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
  {
    address: '/my-prizes',
    says: [
      ...['No Physical Prizes Yet', 'Showing 0 of 0 physical prizes'],
      'Open more packs to win hoodies, stickers, and other awesome prizes!',
    ],
  },
  {
    address: '/my-prizes?filter=redcoin',
    says: [
      ...['No RedCoin Prizes Yet', 'Showing 0 of 0 RedCoin prizes'],
      'Open packs to start earning RedCoin rewards!',
    ],
  },
  { address: '/history', says: ['No changes yet', '0 changes, newest first'] },
  { address: '/history?type=watch_reward', says: ['No changes of this kind'] },
  { address: '/history?view=openings', says: ['No openings here'] },
  {
    address: '/store',
    says: ['No Packs Available', 'Check back later for new pack listings!'],
  },
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
  {
    address: '/admin?tab=prizes',
    says: ['No prizes found', 'Click Add Prize to create your first prize.'],
  },
  {
    address: '/admin?tab=pack-types',
    says: ['No Pack Types Found', 'Create your first pack type to get started.'],
  },
  { address: '/admin?tab=distribute&view=bulk', says: ['No batches yet'] },
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

/** Parts of screens, their call, what they say of it, and of its failure where that differs. */
const parts: [string, EndpointShape, what: string, sentence?: string][] = [
  ['/inventory', packsContract.holdings, 'your packs'],
  ['/history', historyContract.redCoin, 'your history', 'Your history could not be loaded'],
  ['/store', storeContract.listings, 'the store'],
  ['/profile', usersContract.profile, 'your profile'],
  ['/fairness?tab=log', deliveryRecordContract.deliveries, 'the delivery record'],
  ['/fairness?tab=how', drawLogContract.observed, 'the comparison'],
  ['/admin', adminOverviewContract.stats, 'statistics'],
  ['/admin?tab=prizes', adminPrizesContract.list, 'prizes', 'HTTP 500: Internal Server Error'],
  [
    '/admin?tab=pack-types',
    adminPackTypesContract.list,
    'pack types...',
    'Error loading pack types',
  ],
  [
    '/admin?tab=store',
    adminStoreContract.list,
    'store listings',
    'HTTP 500: Internal Server Error',
  ],
  ['/admin?tab=distribute&view=bulk', adminBatchesContract.list, 'batches'],
  ['/admin?tab=claims&view=shipping', adminShipmentsContract.list, 'shipments'],
  ['/admin?tab=users', adminUsersContract.list, 'users', 'Failed to fetch users'],
  ['/admin?tab=settings', adminThemeContract.theme, 'the color theme'],
  ['/admin?tab=twitch', adminStreamsContract.list, 'streams'],
  [
    '/admin?tab=bot-credentials&bot=twitch',
    adminBotsContract.credentials,
    'the Twitch credentials',
  ],
  ['/admin?tab=economy', adminEconomyContract.packs, 'the packs'],
  ['/admin?tab=economy', adminEconomyContract.stock, 'the forecast'],
  ['/admin?tab=audit', adminAuditContract.list, 'audit log', 'Error loading the audit log'],
  ['/admin?tab=messages', adminOutboxContract.list, 'messages', 'Error loading the messages'],
  ['/admin?tab=jobs', adminJobsContract.list, 'jobs', 'Error loading the jobs'],
  ['/admin?tab=server', adminServerContract.state, 'the state of the server'],
]

it.each(parts)(
  '%s says that it waits, why it failed, and tries again',
  async (address, call, what, sentence = `Error loading ${what}`) => {
    const late = holds(call, () => new HttpResponse('', { status: 500 }))
    server.use(late.handler)
    const { user } = await renderApp(address)
    expect(await screen.findByText(`Loading ${what}`)).toBeTruthy()
    late.release()
    expect(await screen.findByText(sentence)).toBeTruthy()
    const asked = () => sent.filter(({ path }) => path.startsWith(call.path)).length
    const before = asked()
    for (const retry of screen.getAllByRole('button', { name: 'Retry' })) await user.click(retry)
    await waitFor(() => expect(asked()).toBeGreaterThan(before))
  },
)
