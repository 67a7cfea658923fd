// The page of a user in the panel: what staff read there, write down and shut.

import { adminPeopleContract, adminUsersContract } from '@redpack/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { centerAnswers } from '../../../test/grant-samples.ts'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, holds, mockServer } from '../../../test/mock-server.ts'
import { renderApp } from '../../../test/render.tsx'
import { toastStore } from '../../ui/feedback/toast.ts'
import {
  panelForAdmin,
  sampleAdminUser,
  samplePerson,
  sampleUsersPage,
} from './sample-users.fixture.ts'
import { personPollMs } from './users-queries.ts'

const server = mockServer()
const ana = sampleAdminUser(1, { username: 'ana', displayName: 'Ana', redCoinBalance: 4200 })

beforeEach(() => {
  server.use(...panelForAdmin, answers(adminUsersContract.list, sampleUsersPage([ana])))
})

async function open(address = '/admin?tab=users') {
  const rendered = await renderApp(address)
  // The page of a user that the address names lies over it.
  await screen.findByRole('rowheader', { name: /Ana/, hidden: true })
  return rendered
}

const hoursAgo = (hours: number) => new Date(testNow() - hours * 3_600_000).toISOString()

it('the page of a user leads to where packs and RedCoin are given and taken, with the user chosen', async () => {
  server.use(
    answers(adminPeopleContract.person, samplePerson(ana)),
    answers(adminUsersContract.list, sampleUsersPage([ana])),
    ...centerAnswers,
  )
  const { user } = await open('/admin?tab=users&user=1')
  await user.click(await screen.findByRole('link', { name: 'Grant or remove' }))
  expect(await screen.findByRole('heading', { name: 'Distribution Center' })).toBeTruthy()
  const chosen = () => screen.getAllByRole('region', { name: 'Chosen user' })
  for (const [view, forms] of [
    ['Individual Distribution', 1],
    ['RedCoin Distribution', 1],
    ['Individual Removal', 2],
  ] as const) {
    await user.click(await screen.findByRole('tab', { name: view }))
    expect(chosen().map((one) => within(one).getByText('Ana').textContent)).toHaveLength(forms)
  }
})

describe('the page of a user', () => {
  const noted = samplePerson(ana, {
    notes: [
      {
        id: 5,
        body: 'Asked about shipping',
        createdAt: hoursAgo(2),
        author: { id: 9, username: 'mod', displayName: 'Mod' },
      },
    ],
    ledger: [
      {
        id: 1,
        createdAt: '2026-11-02T10:00:00.000Z',
        amount: -50,
        type: 'purchase',
        description: 'Bought a pack',
        balanceAfter: 4200,
      },
    ],
  })

  it('opens from the row and from the address, hears of what colleagues do, and closes', async () => {
    server.use(answers(adminPeopleContract.person, samplePerson(ana)))
    const pollPasses = holdWaits('Interval', personPollMs)
    const { user, router } = await open()
    await user.click(
      within(screen.getByRole('row', { name: /Ana/ })).getByRole('button', { name: /^Ana/ }),
    )
    const page = within(await screen.findByRole('dialog', { name: 'Ana' }))
    expect(router.state.location.search).toMatchObject({ user: '1' })
    expect(await page.findByText('Packs opened')).toBeTruthy()
    server.use(answers(adminPeopleContract.person, noted))
    await pollPasses()
    expect(await page.findByRole('tab', { name: 'Notes (1)' })).toBeTruthy()
    await user.click(page.getByRole('tab', { name: 'History' }))
    expect(page.getByText('Bought a pack')).toBeTruthy()
    expect(page.getByText('-50')).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.state.location.search).not.toHaveProperty('user')
  })

  it('keeps notes, and says when things happened', async () => {
    const sent: Sent[] = []
    const actor = { id: 9, username: 'mod', displayName: 'Mod' }
    server.use(
      answers(adminPeopleContract.person, {
        ...noted,
        account: { ...noted.account, lastSeenAt: hoursAgo(4) },
        earningBlock: { reason: 'Bots', actor, createdAt: hoursAgo(3) },
      }),
      records(adminPeopleContract.addNote, noted.notes[0], sent),
    )
    const { user } = await open('/admin?tab=users&user=1')
    await user.click(await screen.findByRole('tab', { name: 'Notes (1)' }))
    expect(screen.getByText('Asked about shipping')).toBeTruthy()
    const times = screen.getAllByText(/hours ago$/).map((time) => time.closest('dd,p')?.textContent)
    expect(times).toEqual(['4 hours ago', 'By @mod, 3 hours ago', '@mod, 2 hours ago'])
    await user.type(screen.getByLabelText('New note'), 'Called back')
    await user.click(screen.getByRole('button', { name: 'Add note' }))
    await waitFor(() => expect(sent[0]?.body).toEqual({ body: 'Called back' }))
  })

  it('leaves alone what staff have gone on to while an answer is on its way', async () => {
    const late = [adminPeopleContract.addNote, adminPeopleContract.removeNote].map((endpoint) =>
      holds(endpoint, () => HttpResponse.json(noted.notes[0])),
    )
    const other = { ...noted.notes[0]!, id: 6, body: 'Moved' }
    server.use(
      answers(adminPeopleContract.person, { ...noted, notes: [...noted.notes, other] }),
      ...late.map(({ handler }) => handler),
    )
    const { user } = await open('/admin?tab=users&user=1')
    await user.click(await screen.findByRole('tab', { name: 'Notes (2)' }))
    const field = screen.getByLabelText<HTMLTextAreaElement>('New note')
    await user.type(field, 'Called')
    await user.click(screen.getByRole('button', { name: 'Add note' }))
    await user.type(field, ' back')
    const ask = (at: number) =>
      user.click(screen.getAllByRole('button', { name: 'Delete note' })[at]!)
    await ask(0)
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Delete' }))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await ask(1)
    await screen.findByRole('alertdialog')
    for (const { release } of late) release()
    await waitFor(() =>
      expect(toastStore.get().log.map(({ content }) => content.description)).toEqual(
        expect.arrayContaining([
          'Note added successfully',
          expect.stringMatching(/^Note deleted successfully/),
        ]),
      ),
    )
    await act(async () => {})
    expect(screen.getByRole('alertdialog')).toBeTruthy()
    expect(field.value).toBe('Called back')
  })

  it('says where older rows may be left out', async () => {
    const [note] = noted.notes
    const [row] = noted.ledger
    if (!note || !row) throw new Error('sample without rows')
    const many = <Row,>(length: number, like: Row) =>
      Array.from({ length }, (_, index) => ({ ...like, id: index + 1 }))
    const full = samplePerson(ana, { notes: many(50, note), ledger: many(20, row) })
    server.use(answers(adminPeopleContract.person, full))
    const { user } = await open('/admin?tab=users&user=1')
    const page = within(await screen.findByRole('dialog', { name: 'Ana' }))
    await user.click(await page.findByRole('tab', { name: 'Notes (50+)' }))
    page.getByText('The newest 50 are shown; there may be older ones.')
    await user.click(page.getByRole('tab', { name: 'History' }))
    const said = page.getAllByText('The newest 20 are shown; there may be older ones.')
    expect(said.map((line) => line.closest('section')?.getAttribute('aria-label'))).toEqual([
      'RedCoin',
    ])
  })

  it('keeps what is typed while another tab is looked at, and asks before it is lost', async () => {
    server.use(answers(adminPeopleContract.person, noted))
    const { user, router } = await open('/admin?tab=users&user=1')
    await user.click(await screen.findByRole('tab', { name: 'Notes (1)' }))
    await user.type(screen.getByLabelText('New note'), 'Called')
    await user.click(screen.getByRole('tab', { name: 'History' }))
    await user.click(screen.getByRole('tab', { name: 'Notes (1)' }))
    expect(screen.getByLabelText<HTMLTextAreaElement>('New note').value).toBe('Called')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    void router.navigate({ to: '/admin', search: { tab: 'users' } })
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('blocks earning with a reason, after a question', async () => {
    const sent: Sent[] = []
    server.use(
      answers(adminPeopleContract.person, noted),
      records(adminPeopleContract.blockEarning, ana, sent),
    )
    const { user } = await open('/admin?tab=users&user=1')
    await user.type(await screen.findByLabelText('Reason'), 'Several accounts')
    await user.click(screen.getByRole('button', { name: 'Block earning' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Block earning' }))
    await waitFor(() =>
      expect(sent[0]?.body).toEqual({ isBlocked: true, reason: 'Several accounts' }),
    )
  })

  it.each([
    ['not proven', null, false],
    ['unchecked', null, true],
    ['proven', '2026-11-02T10:00:00.000Z', false],
  ])('says of a wallet that it is %s', async (word, walletVerifiedAt, isWalletUnchecked) => {
    const { account } = samplePerson(ana)
    const wallet = { solanaWallet: 'z'.repeat(44), walletVerifiedAt, isWalletUnchecked }
    server.use(
      answers(
        adminPeopleContract.person,
        samplePerson(ana, { account: { ...account, ...wallet } }),
      ),
    )
    await open('/admin?tab=users&user=1')
    expect(await screen.findByText(`(${word})`)).toBeTruthy()
  })
})
