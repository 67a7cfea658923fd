// The Distribution Center: whom, what, how much, and what is asked before something is taken.

import {
  type AdminUser,
  adminGrantsContract,
  adminPackTypesContract,
  adminPeopleContract,
  adminUsersContract,
  authContract,
  coinsContract,
} from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Sent, samplePackType } from '../../../test/catalogue-samples.ts'
import {
  card,
  centerAnswers,
  granted,
  isEnabled,
  onePage,
  pickLuna,
  recordsGrants,
  sampleRecipient,
} from '../../../test/grant-samples.ts'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, hangs, holds, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { leaveAnswers, renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { expectDone, expectFailed, lastToast } from '../../../test/toasts.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { holdingsQuery, statsQuery } from '../packs/stats-queries.ts'
import { samplePerson } from '../people/sample-users.fixture.ts'
import { personPollMs } from '../people/users-queries.ts'
import { DistributePanel, thinkingMs } from './distribute-panel.tsx'
import { recipientsCloseMs } from './grant-fields.tsx'

const server = mockServer()
let sent: Sent[] = []
let searches: string[] = []

function serveUsers(users: AdminUser[]): void {
  server.use(
    replies(adminUsersContract.list, (request) => {
      const search = new URL(request.url).searchParams.get('search') ?? ''
      searches.push(search)
      const found = users.filter(({ displayName }) => displayName.includes(search))
      return HttpResponse.json({ users: found, ...onePage, total: found.length })
    }),
  )
}

beforeEach(() => {
  sent = []
  searches = []
  server.use(...centerAnswers, ...recordsGrants(sent))
  serveUsers([sampleRecipient(), sampleRecipient({ id: 8, username: 'ben', displayName: 'Ben' })])
})

async function openView(name?: string) {
  const rendered = await renderPart(<DistributePanel />)
  const tab = await screen.findByRole('tab', { name: name ?? 'Individual Distribution' })
  if (name) await rendered.user.click(tab)
  return rendered
}

const chosen = () => screen.queryByRole('region', { name: 'Chosen user' })
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

describe('the tab', () => {
  it('is headed and has five views', async () => {
    await openView()
    expect(screen.getByRole('heading', { level: 2, name: 'Distribution Center' })).toBeTruthy()
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Individual Distribution',
      'RedCoin Distribution',
      'Individual Removal',
      'Bulk Distribution',
      'Remove Items',
    ])
    expect(screen.getByRole('combobox', { name: 'User' })).toBeTruthy()
    expect(screen.getByLabelText('Pack type')).toBeTruthy()
    expect(screen.getByLabelText('Quantity')).toBeTruthy()
  })

  it.each([adminUsersContract.list, adminPackTypesContract.list])(
    'is shapes while it loads, and says when its data cannot be loaded',
    async (endpoint) => {
      server.use(hangs(endpoint))
      const { unmount } = await renderPart(<DistributePanel />)
      expect(await screen.findByText('Loading distribution data')).toBeTruthy()
      unmount()
      server.use(refuses(endpoint, 500, 'Internal server error'))
      const { user } = await renderPart(<DistributePanel />)
      const sentence = 'Failed to load distribution data. Please refresh the page.'
      expect(await screen.findByText(sentence)).toBeTruthy()
      serveUsers([sampleRecipient()])
      server.use(answers(adminPackTypesContract.list, [samplePackType()]))
      await user.click(screen.getByRole('button', { name: 'Try again' }))
      expect(await screen.findByRole('tab', { name: 'Remove Items' })).toBeTruthy()
    },
  )
})

/** What the search offers; a select has options of its own. */
const offers = () =>
  screen.queryAllByRole('option').filter((one) => one.closest('[role="listbox"]') !== null)
const findOffers = () =>
  waitFor(() => {
    expect(offers()).not.toEqual([])
    return offers()
  })

function OtherUser() {
  const [, setUserId] = useSearchValue('user')
  return (
    <button type="button" onClick={() => setUserId('8')}>
      Give to Ben
    </button>
  )
}

it('asks before its forms begin anew for another user of the address', async () => {
  const { user } = await renderPart(
    <>
      <OtherUser />
      <DistributePanel />
    </>,
  )
  type(await screen.findByLabelText('Quantity'), '5')
  await user.click(screen.getByRole('button', { name: 'Give to Ben' }))
  await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
  await user.click(screen.getByRole('button', { name: 'Stay here' }))
  expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('5')
})

it('brings the open view into sight where the strip is longer than the window', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (
    this: HTMLElement,
  ) {
    return this.textContent === 'Bulk Distribution' ? 600 : 0
  })
  const strip = async () => screen.findByRole('tablist', { name: 'Distribution' })
  await openView()
  expect((await strip()).scrollLeft).toBe(0)
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'Bulk Distribution' }))
  expect((await strip()).scrollLeft).toBe(600)
  vi.restoreAllMocks()
})

describe('the user search', () => {
  const six = ['Al', 'Bo', 'Cy', 'Di', 'Ed', 'Flo'].map((displayName, index) =>
    sampleRecipient({ id: index + 1, displayName, username: displayName.toLowerCase() }),
  )

  it('offers five at most with their balances, moved through by up, down, enter and escape', async () => {
    serveUsers(six)
    const { user } = await openView()
    const box = screen.getByRole('combobox', { name: 'User' })
    await user.click(box)
    const options = await findOffers()
    expect(options).toHaveLength(5)
    expect(options[0]?.textContent).toContain('1,200 RedCoin')
    const active = () =>
      offers().find((one) => one.getAttribute('aria-selected') === 'true')?.textContent ?? ''
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(active()).toContain('Bo')
    await user.keyboard('{Escape}')
    expect(offers()).toEqual([])
    await user.keyboard('{ArrowDown}')
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(active()).toContain('Ed')
    await user.keyboard('{Enter}')
    const chosen = within(await screen.findByRole('region', { name: 'Chosen user' }))
    expect(chosen.getByText('Ed')).toBeTruthy()
  })

  it('says when there is nobody, asks the server for what is typed, and says when none is found', async () => {
    serveUsers([])
    const { user } = await openView()
    expect(await screen.findByText('No users found')).toBeTruthy()
    await user.type(screen.getByRole('combobox', { name: 'User' }), ' zoe@x ')
    expect(await screen.findByText('No users found matching "zoe@x"')).toBeTruthy()
    expect(searches).toContain('zoe@x')
  })

  it('closes 150 ms after it is left, so that a press on it counts', async () => {
    const { user } = await openView()
    await user.click(screen.getByRole('combobox', { name: 'User' }))
    await findOffers()
    expect(recipientsCloseMs).toBe(150)
    fireEvent.blur(screen.getByRole('combobox', { name: 'User' }))
    expect(offers()).not.toEqual([])
    await waitFor(() => expect(offers()).toEqual([]))
  })
})

describe('Individual Distribution', () => {
  it('needs a user, a pack type and a quantity above 0, gives, and refreshes', async () => {
    const { user, queryClient } = await openView()
    const inventory = { queryKey: ['/api/user/inventory'], meta: { shows: ['holdings'] as const } }
    const stale = leaveAnswers(queryClient, holdingsQuery, inventory, statsQuery)
    const button = screen.getByRole('button', { name: 'Distribute Packs' })
    expect(isEnabled(button)).toBe(false)
    await pickLuna(user)
    expect(isEnabled(button)).toBe(false)
    await user.selectOptions(screen.getByLabelText('Pack type'), 'Crown Pack')
    expect(isEnabled(button)).toBe(true)
    for (const value of ['0', '-1', '1.5', '']) {
      type(screen.getByLabelText('Quantity'), value)
      expect([value, isEnabled(button)]).toEqual([value, false])
    }
    type(screen.getByLabelText('Quantity'), '-1')
    expect(screen.getByText('Quantity must be at least 1')).toBeTruthy()
    type(screen.getByLabelText('Quantity'), '2')
    await user.click(button)
    await expectDone('Done as told')
    expect(sent).toEqual([
      {
        path: adminGrantsContract.distributePacks.path,
        body: { userId: 7, packTypeId: 1, quantity: 2 },
        key: expect.any(String),
      },
    ])
    expect([isEnabled(button), chosen()]).toEqual([false, null])
    await user.selectOptions(screen.getByLabelText('Pack type'), 'Crown Pack')
    expect(isEnabled(button)).toBe(false)
    await waitFor(() =>
      expect(stale()).toEqual(['/api/user/packs', '/api/user/inventory', '/api/user/stats']),
    )
  })
})

describe('RedCoin Distribution', () => {
  async function fill(amount: string, reason: string) {
    const rendered = await openView('RedCoin Distribution')
    await pickLuna(rendered.user)
    type(screen.getByLabelText('Amount'), amount)
    type(screen.getByLabelText('Reason'), reason)
    return rendered
  }

  it('needs a user, an amount that is not 0 and a reason, gives, and refreshes', async () => {
    const { user, queryClient } = await fill('100', ' ')
    const ranking = endpointQuery(coinsContract.leaderboard, { shows: ['leaderboard'] })
    const stale = leaveAnswers(queryClient, ranking)
    const me = vi.fn(() => HttpResponse.json(sampleUser({ role: 'admin' })))
    server.use(replies(authContract.me, me))
    const button = screen.getByRole('button', { name: 'Distribute RedCoin' })
    expect(isEnabled(button)).toBe(false)
    type(screen.getByLabelText('Reason'), ' Quiz ')
    expect(isEnabled(button)).toBe(true)
    for (const amount of ['0', '', '0.5']) {
      type(screen.getByLabelText('Amount'), amount)
      expect([amount, isEnabled(button)]).toEqual([amount, false])
    }
    type(screen.getByLabelText('Amount'), '100')
    await user.click(button)
    await expectDone('Done as told')
    expect(sent[0]).toMatchObject({ body: { userId: 7, amount: 100, description: 'Quiz' } })
    expect([isEnabled(button), chosen()]).toEqual([false, null])
    type(screen.getByLabelText('Amount'), '5')
    type(screen.getByLabelText('Reason'), 'Quiz')
    expect(isEnabled(button)).toBe(false)
    await waitFor(() => expect(stale()).toEqual(['/api/redcoin/leaderboard']))
    await waitFor(() => expect(me).toHaveBeenCalled())
  })

  it.each([
    [200, 'Done as told'],
    [400, 'Not today'],
  ])('says how it ended also when the view was left meanwhile: %i', async (status, said) => {
    const body = status === 200 ? { ...granted, newBalance: 1300, removedAmount: 0 } : {}
    const late = holds(adminGrantsContract.distributeRedCoin, () =>
      HttpResponse.json({ ...body, message: said }, { status }),
    )
    server.use(late.handler)
    const { user } = await fill('40', 'Quiz')
    await user.click(screen.getByRole('button', { name: 'Distribute RedCoin' }))
    await user.click(screen.getByRole('tab', { name: 'Bulk Distribution' }))
    late.release()
    await waitFor(() => expect(lastToast()?.description).toBe(said))
  })

  it('asks before a negative amount takes', async () => {
    const { user } = await fill('-40', 'Too much')
    await user.click(screen.getByRole('button', { name: 'Remove RedCoin' }))
    const question = 'Are you sure you want to remove 40 RedCoins from Luna Fox?'
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(question)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Remove RedCoin' }))
    await user.click(await screen.findByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(sent).toMatchObject([{ body: { amount: -40 } }]))
  })
})

describe.each(['Individual Removal', 'Remove Items'])('taking from one user in %s', (view) => {
  const serveLuna = (byNow: () => Partial<AdminUser>) => {
    const answer = () => HttpResponse.json(samplePerson(sampleRecipient(byNow())))
    server.use(replies(adminPeopleContract.person, answer))
  }

  it('takes packs after asking', async () => {
    const crown = { packTypeId: 1, packTypeName: 'Crown Pack' }
    serveLuna(() => ({ userPacks: [{ ...crown, quantity: sent.length > 0 ? 1 : 3 }] }))
    const { user } = await openView(view)
    const part = card('Remove packs from a user')
    const button = part.getByRole('button', { name: 'Remove Packs' })
    const packType = part.getByLabelText('Pack type')
    await user.selectOptions(packType, 'Crown Pack')
    expect(isEnabled(button)).toBe(false)
    await user.selectOptions(packType, '')
    await pickLuna(user, part)
    expect(isEnabled(button)).toBe(false)
    await user.selectOptions(packType, 'Crown Pack')
    expect(isEnabled(button)).toBe(true)
    type(part.getByLabelText('Quantity'), '0')
    expect(isEnabled(button)).toBe(false)
    type(part.getByLabelText('Quantity'), '2')
    await user.click(button)
    const question = 'Are you sure you want to remove 2 Crown Pack pack(s) from Luna Fox?'
    expect(await screen.findByText(question)).toBeTruthy()
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    await expectDone('Done as told')
    expect(sent).toMatchObject([{ body: { userId: 7, packTypeId: 1, quantity: 2 } }])
    expect(await part.findByText('1 Crown Pack')).toBeTruthy()
  })

  it('takes RedCoin after asking', async () => {
    serveLuna(() => ({ redCoinBalance: sent.length > 0 ? 1180 : 1200 }))
    const { user } = await openView(view)
    const part = card('Remove RedCoin from a user')
    const button = part.getByRole('button', { name: 'Remove RedCoins' })
    type(part.getByLabelText('Amount'), '20')
    expect(isEnabled(button)).toBe(false)
    type(part.getByLabelText('Amount'), '')
    await pickLuna(user, part)
    expect(isEnabled(button)).toBe(false)
    type(part.getByLabelText('Amount'), '-5')
    expect(isEnabled(button)).toBe(false)
    type(part.getByLabelText('Amount'), '20')
    await user.click(button)
    const question = 'Are you sure you want to remove 20 RedCoins from Luna Fox?'
    expect(await screen.findByText(question)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    await expectDone('Done as told')
    expect(sent).toMatchObject([{ body: { userId: 7, amount: 20 } }])
    expect(await part.findByText(/1,180 RedCoin/)).toBeTruthy()
  })

  it('shows what others have given to the chosen user or taken meanwhile', async () => {
    let redCoinBalance = 1200
    serveLuna(() => ({ redCoinBalance }))
    const pollPasses = holdWaits('Interval', personPollMs)
    const { user } = await openView(view)
    const part = card('Remove RedCoin from a user')
    await pickLuna(user, part)
    type(part.getByLabelText('Amount'), '4000')
    expect(part.getByText(/The user has only 1,200/)).toBeTruthy()
    redCoinBalance = 5000
    await pollPasses()
    expect(await part.findByText(/5,000 RedCoin/)).toBeTruthy()
    expect(part.queryByText(/The user has only/)).toBeNull()
  })
})

describe.each([
  {
    button: 'Remove All RedCoins',
    question: 'Are you sure you want to remove ALL RedCoins from ALL users? This cannot be undone!',
    effect: 'This removes 155,135 RedCoin from 27 users.',
    phrase: 'REMOVE ALL REDCOIN',
    endpoint: adminGrantsContract.removeAllRedCoin,
    failed: 'Error removing all RedCoins',
  },
  {
    button: 'Remove All Packs',
    question: 'Are you sure you want to remove ALL packs from ALL users? This cannot be undone!',
    effect: 'This removes 65 unopened packs from 8 users.',
    phrase: 'REMOVE ALL PACKS',
    endpoint: adminGrantsContract.removeAllPacks,
    failed: 'Error removing all packs',
  },
])('$button', ({ button, question, effect, phrase, endpoint, failed }) => {
  async function ask() {
    const rendered = await openView('Remove Items')
    const thinkingPasses = holdWaits('Timeout', thinkingMs)
    await rendered.user.click(await screen.findByRole('button', { name: button }))
    const dialog = within(await screen.findByRole('alertdialog'))
    const confirm = dialog.getByRole('button', { name: 'Confirm' })
    return { ...rendered, thinkingPasses, dialog, confirm }
  }

  it('asks with what it takes, wants the phrase and a moment', async () => {
    const { user, dialog, confirm, thinkingPasses } = await ask()
    expect(dialog.getByText(question)).toBeTruthy()
    expect(await dialog.findByText(effect)).toBeTruthy()
    const field = dialog.getByLabelText(`Type ${phrase} to confirm`)
    type(field, phrase)
    expect(isEnabled(confirm)).toBe(false)
    await thinkingPasses()
    expect(isEnabled(confirm)).toBe(true)
    type(field, 'REMOVE')
    expect(isEnabled(confirm)).toBe(false)
    expect(sent).toEqual([])
    type(field, phrase.toLowerCase())
    await user.click(confirm)
    await expectDone('Done as told')
    expect(sent).toMatchObject([{ path: endpoint.path, key: expect.any(String) }])
  })

  it('says when it failed', async () => {
    server.use(refuses(endpoint, 503, 'Not now'))
    const { user, dialog, confirm, thinkingPasses } = await ask()
    type(dialog.getByLabelText(`Type ${phrase} to confirm`), phrase)
    await thinkingPasses()
    await user.click(confirm)
    await expectFailed(failed, 'Not now')
  })
})

describe('a failure', () => {
  const cases = [
    [
      'Individual Distribution',
      'Give packs to one user',
      'Distribute Packs',
      'Distribution Failed',
      'Failed to distribute packs',
    ],
    [
      'RedCoin Distribution',
      'Give RedCoin to one user',
      'Distribute RedCoin',
      'RedCoin Operation Failed',
      'Failed to process RedCoin transaction',
    ],
    [
      'Individual Removal',
      'Remove packs from a user',
      'Remove Packs',
      'Pack Removal Failed',
      'Failed to remove packs from user',
    ],
    [
      'Individual Removal',
      'Remove RedCoin from a user',
      'Remove RedCoins',
      'RedCoin Removal Failed',
      'Failed to remove RedCoins from user',
    ],
  ] as const

  async function send(view: string, title: string, button: string, prepare: () => void) {
    const { user } = await openView(view)
    const part = card(title)
    await pickLuna(user, part)
    const packType = part.queryByLabelText('Pack type')
    if (packType) await user.selectOptions(packType, 'Crown Pack')
    const amount = part.queryByLabelText('Amount')
    if (amount) type(amount, '5')
    const reason = part.queryByLabelText('Reason')
    if (reason) type(reason, 'Quiz')
    prepare()
    await user.click(part.getByRole('button', { name: button }))
    const confirm = screen.queryByRole('button', { name: 'Confirm' })
    if (confirm) await user.click(confirm)
  }

  it.each(cases)(
    'in %s (%s) has its title, and the sentence of the server or its own',
    async (view, title, button, toastTitle, fallback) => {
      await send(view, title, button, () => {
        vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
      })
      await expectFailed(toastTitle, fallback)
      vi.restoreAllMocks()
      for (const endpoint of [
        adminGrantsContract.distributePacks,
        adminGrantsContract.distributeRedCoin,
        adminGrantsContract.removeUserPacks,
        adminGrantsContract.removeUserRedCoin,
      ]) {
        server.use(refuses(endpoint, 400, 'The sentence of the server'))
      }
      const again = await screen.findByRole('button', { name: button })
      await waitFor(() => expect(isEnabled(again)).toBe(true))
      fireEvent.click(again)
      const confirm = screen.queryByRole('button', { name: 'Confirm' })
      if (confirm) fireEvent.click(confirm)
      await expectFailed(toastTitle, 'The sentence of the server')
    },
  )
})
