// The Twitch Streams tab: the list, the dialog, the switches and the deletion.

import { type AdminStream, adminPackTypesContract, adminStreamsContract } from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { records, type Sent, samplePackType } from '../../../test/catalogue-samples.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { expectDone, expectFailed, findToast, lastToast } from '../../../test/toasts.ts'
import { StreamsPanel } from './streams-panel.tsx'
import { sampleAdminStream } from './watch-samples.fixture.ts'

const server = mockServer()
const contract = adminStreamsContract
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  server.use(
    answers(adminPackTypesContract.list, [samplePackType()]),
    answers(contract.list, [sampleAdminStream()]),
    records(contract.create, sampleAdminStream(), sent),
    records(contract.update, sampleAdminStream(), sent),
    records(contract.toggle, sampleAdminStream(), sent),
    records(contract.remove, { success: true, message: 'Stream deleted' }, sent),
    records(contract.restore, sampleAdminStream(), sent),
    records(contract.setLive, sampleAdminStream(), sent),
  )
})

async function renderTab(streams?: AdminStream[]) {
  if (streams) server.use(answers(contract.list, streams))
  const rendered = await renderPart(<StreamsPanel />)
  await screen.findByRole('heading', { name: 'Twitch Watch Timer Streams' })
  return rendered
}
const findCard = async (name = 'Pixel Otter') =>
  within(await screen.findByRole('listitem', { name }))
const detail = (term: string) =>
  screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const fill = (label: string | RegExp, value: string) =>
  fireEvent.change(field(label), { target: { value } })
const press = (name: string | RegExp) => screen.getByRole('button', { name })

describe('the list', () => {
  it('shows each stream with all there is to know of it', async () => {
    await renderTab()
    const card = await findCard()
    expect(card.getByText('Active')).toBeTruthy()
    expect(card.getByText('LIVE')).toBeTruthy()
    expect(card.getByRole('link', { name: /pixelotter/ }).getAttribute('href')).toBe(
      'https://www.twitch.tv/pixelotter',
    )
    expect(detail('Watch time')).toBe('90 minutes')
    expect(detail('Auto schedule')).toBe(
      'Fri, Jan 15, 2027, 2:00 PM EST to Thu, Jul 15, 2027, 2:00 PM EDT',
    )
    expect(detail('Chat messages')).toBe('On')
    expect(detail('Completion message')).toBe('Well watched, {username}!')
    expect(detail('Rewards')).toBe('2 × Crown Pack and 50 RedCoin')
  })

  it('shows a stream that is off as what it is', async () => {
    const times = { scheduledStartTime: null, scheduledEndTime: null, autoScheduleEnabled: false }
    const { user } = await renderTab([
      sampleAdminStream({ isActive: false, isLive: false, enableChatMessage: false, ...times }),
    ])
    const card = await findCard()
    expect(card.getByText('Inactive')).toBeTruthy()
    expect(card.queryByText('LIVE')).toBeNull()
    expect([detail('Auto schedule'), detail('Chat messages')]).toEqual(['Off', 'Off'])
    const activate = press('Activate Pixel Otter')
    expect(activate.textContent).toBe('Activate')
    await user.click(activate)
    await waitFor(() => expect(sent).toMatchObject([{ body: { isActive: true } }]))
  })
})

describe('a new stream', () => {
  async function openNew() {
    const rendered = await renderTab()
    await rendered.user.click(press('Add Stream'))
    await screen.findByRole('dialog', { name: 'Add Stream' })
    return rendered
  }

  it('starts with its defaults, and is sent with minutes, times in UTC and its rewards', async () => {
    const { user } = await openNew()
    expect(field('Watch time (minutes)').value).toBe('120')
    expect(field('Completion message').value).toBe(
      "Congratulations! You've earned a pack for watching!",
    )
    const isOn = (name: string) => screen.getByRole('switch', { name }).getAttribute('aria-checked')
    expect([isOn('Chat message'), isOn('Auto schedule')]).toEqual(['true', 'false'])
    fill('Display name', 'Fox')
    fill('Channel name', 'foxden')
    fill('Twitch channel ID', '42')
    await user.click(press('30 min'))
    const start = field(/^Start \(US Eastern time/)
    expect(start.type).toBe('datetime-local')
    fill(/^Start/, '2027-01-15T14:00')
    fill(/^End/, '2027-07-15T14:00')
    expect(screen.getByLabelText('Start (US Eastern time, EST)')).toBeTruthy()
    expect(screen.getByLabelText('End (US Eastern time, EDT)')).toBeTruthy()
    await user.click(press('Add pack reward'))
    await screen.findByRole('option', { name: 'Crown Pack' })
    await user.selectOptions(field('Pack of reward 1'), 'Crown Pack')
    fill('Quantity of reward 1', '3')
    await user.click(press('Create stream'))
    await expectDone('Stream created successfully')
    expect(sent).toMatchObject([
      {
        path: '/api/admin/twitch/streams',
        body: {
          displayName: 'Fox',
          twitchChannelName: 'foxden',
          twitchChannelId: '42',
          watchTimeRequired: 30,
          scheduledStartTime: '2027-01-15T19:00:00.000Z',
          scheduledEndTime: '2027-07-15T18:00:00.000Z',
          enableChatMessage: true,
          packRewards: [{ packTypeId: 1, quantity: 3 }],
        },
      },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is not sent while something is missing', async () => {
    const { user } = await openNew()
    fill('Watch time (minutes)', '0')
    fill('Completion message', ' ')
    await user.click(press('Add pack reward'))
    fill('Quantity of reward 1', '0')
    await user.click(press('Create stream'))
    for (const sentence of [
      'Display name is required',
      'Channel name is required',
      'Twitch channel ID is required',
      'Watch time must be at least 1 minute',
      'Completion message is required',
      'Pack quantity must be at least 1',
    ]) {
      expect(await screen.findByText(sentence)).toBeTruthy()
    }
    expect(sent).toEqual([])
  })

  it('keeps what was typed when it is refused', async () => {
    server.use(refuses(contract.create, 409, 'This channel is already on the list'))
    const { user } = await openNew()
    for (const label of ['Display name', 'Channel name', 'Twitch channel ID']) fill(label, '7')
    await user.click(press('Create stream'))
    await expectFailed('Error creating stream', 'This channel is already on the list')
    expect(field('Display name').value).toBe('7')
  })
})

describe('an edit', () => {
  async function openEdit() {
    const rendered = await renderTab()
    await findCard()
    await rendered.user.click(press('Edit Pixel Otter'))
    await screen.findByRole('dialog', { name: 'Edit Stream' })
    return rendered
  }

  it('starts with the stream and sends what was changed', async () => {
    const { user } = await openEdit()
    expect(field('Start (US Eastern time, EST)').value).toBe('2027-01-15T14:00')
    expect(field('End (US Eastern time, EDT)').value).toBe('2027-07-15T14:00')
    expect(field('Quantity of reward 1').value).toBe('2')
    fill('Display name', 'Otter')
    await user.click(press('Remove reward 1'))
    await user.click(press('Save changes'))
    await findToast({ description: 'Stream updated successfully' })
    expect(sent).toMatchObject([{ path: '/api/admin/twitch/streams/5' }])
    // The stream's own packs are among the rewards that are shown, and go with them.
    const rewards = { packRewards: [], rewardPackTypeId: null }
    expect(sent[0]?.body).toEqual({
      ...{ displayName: 'Otter', ...rewards },
      expected: { ...rewards, displayName: expect.any(String), packRewards: [expect.anything()] },
    })
  })

  it('reports a failure', async () => {
    server.use(refuses(contract.update, 404, 'Stream not found'))
    const { user } = await openEdit()
    fill('Display name', 'Otter')
    await user.click(press('Save changes'))
    await expectFailed('Error updating stream', 'Stream not found')
  })
})

describe('the switches', () => {
  it('deactivate a stream, which can be undone', async () => {
    const { user } = await renderTab()
    await findCard()
    await user.click(press('Deactivate Pixel Otter'))
    await findToast({ description: 'Pixel Otter is inactive' })
    expect(sent).toMatchObject([
      { path: '/api/admin/twitch/streams/5/toggle', body: { isActive: false } },
    ])
    expect(lastToast()?.action?.label).toBe('Undo')
  })

  it('report a failure and show the stream as it was', async () => {
    server.use(refuses(contract.toggle, 500, 'Broken'))
    const { user } = await renderTab()
    const card = await findCard()
    await user.click(press('Deactivate Pixel Otter'))
    await expectFailed('Error updating stream status', 'Broken')
    expect(card.getByText('Active')).toBeTruthy()
  })

  it('set a stream live or offline by hand', async () => {
    const { user } = await renderTab()
    await findCard()
    await user.click(press('Set Pixel Otter offline'))
    await findToast({ description: 'Pixel Otter is offline' })
    expect(sent).toMatchObject([
      { path: '/api/admin/twitch/streams/5/live', body: { isLive: false } },
    ])
  })
})

describe('a deletion', () => {
  const ask = async () => {
    const rendered = await renderTab()
    await findCard()
    await rendered.user.click(press('Delete Pixel Otter'))
    const question = within(await screen.findByRole('alertdialog'))
    return { ...rendered, question }
  }

  it('asks first and can be taken back', async () => {
    const { user, question } = await ask()
    expect(question.getByText('Are you sure you want to delete this stream?')).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    expect(sent).toEqual([])
    await user.click(press('Delete Pixel Otter'))
    await user.click(await screen.findByRole('button', { name: 'Confirm' }))
    await findToast({ description: 'Stream deleted successfully: Pixel Otter' })
    expect(sent).toMatchObject([{ path: '/api/admin/twitch/streams/5' }])
    lastToast()?.action?.onSelect()
    await waitFor(() => expect(sent[1]?.path).toBe('/api/admin/twitch/streams/5/restore'))
  })

  it('reports a failure', async () => {
    server.use(refuses(contract.remove, 404, 'Stream not found'))
    const { user, question } = await ask()
    await user.click(question.getByRole('button', { name: 'Confirm' }))
    await expectFailed('Error deleting stream', 'Stream not found')
  })
})
