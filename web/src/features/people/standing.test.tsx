// Names and suspensions on screen: what staff decide in Users, and what the person reads.

import {
  adminPeopleContract,
  adminUsersContract,
  authContract,
  standingContract,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../../tools/test-clock.ts'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, holds, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp, renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { changedTopics } from '../../lib/changed-topics.ts'
import { NameWordsCard } from '../settings/name-words-card.tsx'
import {
  panelForAdmin,
  sampleAdminUser,
  samplePerson,
  sampleUsersPage,
} from './sample-users.fixture.ts'
import { SuspensionBanner } from './suspension-banner.tsx'

const server = mockServer()

const suspension = { reason: 'Runs a farm', until: null, answer: null }

describe('the banner', () => {
  it('says why, and sends one answer', async () => {
    const sent = vi.fn()
    server.use(
      answers(authContract.me, sampleUser({ suspension })),
      replies(standingContract.answer, async (request) => {
        sent(await request.json(), request.headers.get('idempotency-key'))
        const user = sampleUser({ suspension: { ...suspension, answer: 'My brother' } })
        server.use(answers(authContract.me, user))
        return HttpResponse.json({ success: true, message: 'Your answer was sent' })
      }),
    )
    const { user } = await renderPart(<SuspensionBanner />)
    expect(await screen.findByText('Your account is suspended')).toBeTruthy()
    expect(screen.getByText('Reason: Runs a farm')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Answer' }))
    await user.type(await screen.findByRole('textbox', { name: 'Answer' }), 'My brother')
    await user.click(screen.getByRole('button', { name: 'Send answer' }))
    expect(await screen.findByText('Your answer was sent to staff.')).toBeTruthy()
    expect(sent).toHaveBeenCalledWith({ text: 'My brother' }, expect.any(String))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('stands as long as the server says so, whatever the clock of the phone', async () => {
    const until = new Date(testNow() - 86_400_000).toISOString()
    server.use(answers(authContract.me, sampleUser({ suspension: { ...suspension, until } })))
    await renderPart(<SuspensionBanner />)
    expect(await screen.findByText(/Your account is suspended until/)).toBeTruthy()
    server.use(answers(authContract.me, sampleUser()))
    act(() => changedTopics.announce(['user'], 'news'))
    await waitFor(() => expect(screen.queryByText(/Your account is suspended/)).toBeNull())
  })
})

describe('a user in the panel', () => {
  const bad = sampleAdminUser(7, { displayName: 'Rudy', username: 'rudy', isNameFlagged: true })
  const open = async (user = bad, address = '/admin?tab=users&user=7') => {
    server.use(
      ...panelForAdmin,
      answers(adminUsersContract.list, sampleUsersPage([user])),
      answers(
        adminPeopleContract.person,
        samplePerson(user, {
          standingHistory: [
            {
              createdAt: '2026-11-02T10:00:00.000Z',
              action: 'name.hide',
              value: 'Viewer 7',
              reason: 'Rude',
              actor: null,
            },
          ],
        }),
      ),
    )
    const rendered = await renderApp(address)
    const dialog = await screen.findByRole('dialog')
    return { ...rendered, dialog: within(dialog) }
  }

  it('has a name that staff hide or replace with a reason, and undo', async () => {
    const sent: Sent[] = []
    server.use(records(standingContract.showName, bad, sent))
    const { user, dialog } = await open()
    const card = within(await dialog.findByRole('region', { name: 'Shown name' }))
    const hide = card.getByRole('button', { name: 'Hide name' })
    expect(hide).toHaveProperty('disabled', true)
    await user.type(card.getByRole('textbox', { name: 'Reason for the name' }), 'Rude')
    await user.click(hide)
    await screen.findByText('The name is hidden everywhere')
    await user.type(card.getByRole('textbox', { name: 'Name to show' }), 'Fox')
    await user.type(card.getByRole('textbox', { name: 'Reason for the name' }), 'Agreed')
    await user.click(card.getByRole('button', { name: 'Show this name' }))
    await screen.findByText('Everyone now sees Fox')
    expect(sent.map(({ body }) => body)).toEqual([
      { name: null, reason: 'Rude' },
      { name: 'Fox', reason: 'Agreed' },
    ])
    server.use(refuses(standingContract.restoreName, 503, 'Not now'))
    await user.click(card.getByRole('button', { name: 'The name is fine' }))
    expect(await screen.findByText('Not now')).toBeTruthy()
    await user.click(dialog.getByRole('tab', { name: 'History' }))
    expect(dialog.getByText(/Name hidden: Viewer 7 automatically/)).toBeTruthy()
  })

  it('keeps what is typed while a name is on its way', async () => {
    const { handler, release } = holds(standingContract.showName, () => HttpResponse.json(bad))
    server.use(handler)
    const { user, dialog } = await open()
    const card = within(await dialog.findByRole('region', { name: 'Shown name' }))
    const field = (name: string) => card.getByRole<HTMLInputElement>('textbox', { name })
    await user.type(field('Name to show'), 'Fox')
    await user.type(field('Reason for the name'), 'Agreed')
    await user.click(card.getByRole('button', { name: 'Show this name' }))
    await user.type(field('Reason for the name'), ' on')
    release()
    await screen.findByText('Everyone now sees Fox')
    expect([field('Name to show').value, field('Reason for the name').value]).toEqual([
      '',
      'Agreed on',
    ])
  })

  it('is suspended after a question, and the answer stands beside it', async () => {
    const sent: Sent[] = []
    server.use(records(standingContract.suspend, bad, sent))
    const { user, dialog } = await open()
    const card = within(await dialog.findByRole('region', { name: 'Suspension' }))
    await user.type(card.getByLabelText('Until'), '2020-01-01T10:00')
    expect(card.getByText('Choose a time in the future')).toBeTruthy()
    fireEvent.change(card.getByLabelText('Until'), { target: { value: '12026-01-01T10:00' } })
    expect(card.getByText('Choose a time in the future')).toBeTruthy()
    await user.clear(card.getByLabelText('Until'))
    await user.type(card.getByRole('textbox', { name: 'Reason for the suspension' }), 'Runs a farm')
    await user.click(card.getByRole('button', { name: 'Suspend' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Suspend' }))
    await screen.findByText('Rudy is suspended')
    expect(sent[0]?.body).toEqual({ until: null, reason: 'Runs a farm' })
  })

  it('shows the answer to a suspension, and a way to end it', async () => {
    const answered = { ...bad, suspension: { ...suspension, answer: 'My brother' } }
    const { dialog } = await open(answered)
    const card = within(await dialog.findByRole('region', { name: 'Suspension' }))
    expect(card.getByText('My brother')).toBeTruthy()
    expect(card.getByRole('button', { name: 'End the suspension' })).toBeTruthy()
    expect(dialog.getByText('Suspended, has answered')).toBeTruthy()
  })
})

it('shows what somebody else has saved meanwhile, and saves over it when pressed again', async () => {
  let stored = { words: ['weasel'], hidesAtOnce: false }
  server.use(
    replies(standingContract.nameWords, () => HttpResponse.json(stored)),
    replies(standingContract.saveNameWords, async (request) => {
      const { expected, ...order } = (await request.json()) as typeof stored & { expected: unknown }
      if (JSON.stringify(expected) !== JSON.stringify(stored)) {
        return HttpResponse.json({ code: 'changed_meanwhile', message: 'Changed' }, { status: 409 })
      }
      stored = order
      return HttpResponse.json(order)
    }),
  )
  const { user } = await renderPart(<NameWordsCard />)
  expect(screen.getByText(/^New names that contain one of these words are flagged/)).toBeTruthy()
  await user.type(await screen.findByRole('textbox', { name: 'One word per line' }), '{Enter}stoat')
  stored = { words: ['weasel', 'mink'], hidesAtOnce: false }
  const save = () => user.click(screen.getByRole('button', { name: 'Save words' }))
  await save()
  expect(await screen.findByText('Words: now weasel, mink, yours weasel, stoat')).toBeTruthy()
  await save()
  await screen.findByText('2 words saved')
  expect(stored.words).toEqual(['weasel', 'stoat'])
})

it('keeps the words one a line, and says which is too long', async () => {
  const sent: Sent[] = []
  const order = { words: ['weasel', 'stoat'], hidesAtOnce: true }
  server.use(
    answers(standingContract.nameWords, { words: ['weasel'], hidesAtOnce: false }),
    records(standingContract.saveNameWords, order, sent),
  )
  const { user } = await renderPart(<NameWordsCard />)
  const field = await screen.findByRole('textbox', { name: 'One word per line' })
  await user.type(field, `{Enter}{Enter}${'x'.repeat(51)}`)
  expect(screen.getByText(/Longer than 50 characters/)).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'weasel{Enter}{Enter} stoat ')
  await user.click(screen.getByRole('switch', { name: 'Hide flagged names automatically' }))
  await user.click(screen.getByRole('button', { name: 'Save words' }))
  await screen.findByText('2 words saved')
  expect(sent[0]?.body).toMatchObject(order)
})
