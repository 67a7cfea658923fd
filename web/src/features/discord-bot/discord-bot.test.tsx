// The Discord bot's pane: state, whitelist, settings and test claim.

import {
  type BotSettings,
  adminBotsContract as contract,
  type DiscordServer,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, hangs, holds, mockServer, refuses } from '../../../test/mock-server.ts'
import { pressButton } from '../../../test/press.ts'
import { renderPart } from '../../../test/render.tsx'
import {
  expectDone,
  expectFailed,
  findFailure,
  findToast,
  loseRequests,
} from '../../../test/toasts.ts'
import { undoMs } from '../../ui/feedback/outcome.ts'
import { BotCredentialsPanel } from '../twitch-bot/bot-credentials-panel.tsx'
import { DiscordBotPanel } from './shared/discord-bot.tsx'

const server = mockServer()
let sent: Sent[] = []

const settings = (change: Partial<BotSettings> = {}): BotSettings => ({
  rewardAmount: 25,
  isActive: true,
  postSchedule: [6, 12, 18, 24],
  isDefault: true,
  hasToken: true,
  problem: null,
  nextPostAt: '2026-11-21T19:00:00.000Z',
  ...change,
})
const saved = settings({ rewardAmount: 40, postSchedule: [2, 8, 14, 20], isDefault: false })
const den = (change: Partial<DiscordServer> = {}): DiscordServer => ({
  id: 3,
  serverName: 'Fox Den',
  serverId: '910000000000000001',
  channelId: '910000000000000002',
  channelName: 'rewards',
  isActive: true,
  isChecked: true,
  problem: null,
  ...change,
})

beforeEach(() => {
  sent = []
  server.use(
    answers(contract.settings, settings()),
    answers(contract.servers, [den()]),
    answers(contract.credentials, null),
    records(contract.saveSettings, saved, sent),
  )
})

async function renderTab(change?: Partial<BotSettings>) {
  if (change) server.use(answers(contract.settings, settings(change)))
  const rendered = await renderPart(<DiscordBotPanel />)
  await screen.findByRole('form', { name: 'Bot settings' })
  return rendered
}
const press = (name: string | RegExp) => screen.getByRole('button', { name })
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const isOn = (name: string) =>
  screen.getByRole('switch', { name }).getAttribute('aria-checked') === 'true'
const hour = (shown: number) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${shown} posts`) })
const isTicked = (shown: number) => hour(shown).checked

it('is the first part of Bot Credentials, beside the Twitch bot', async () => {
  const { user } = await renderPart(<BotCredentialsPanel />)
  expect(await screen.findByRole('form', { name: 'Bot settings' })).toBeTruthy()
  expect(screen.getByRole('tab', { name: 'Discord Bot' }).getAttribute('aria-selected')).toBe(
    'true',
  )
  await user.click(screen.getByRole('tab', { name: 'Twitch Bot' }))
  expect(await screen.findByRole('form', { name: 'Twitch bot credentials' })).toBeTruthy()
})

describe('the state of the bot', () => {
  it('is told in a sentence', async () => {
    const { queryClient } = await renderTab()
    expect(screen.getByText(/Next post: .*, your time/)).toBeTruthy()
    for (const [change, sentence] of [
      [{ hasToken: false }, /has no token, so nothing is posted/],
      [{ problem: 'Discord does not accept the bot token.' }, /does not accept the bot token/],
      [{ isActive: false, isDefault: false, nextPostAt: null }, /switched off/],
    ] as const) {
      server.use(answers(contract.settings, settings(change)))
      await act(() => queryClient.invalidateQueries())
      expect(await screen.findByText(sentence)).toBeTruthy()
    }
  })

  it.each([
    ['settings', contract.settings],
    ['servers', contract.servers],
  ])('is a Connection Error when the %s cannot be loaded', async (_, endpoint) => {
    server.use(refuses(endpoint, 500, 'Broken'))
    const { user } = await renderPart(<DiscordBotPanel />)
    const box = within(await screen.findByRole('alert'))
    expect(box.getByText('Connection Error')).toBeTruthy()
    expect(box.getByText('Could not load the bot settings.')).toBeTruthy()
    server.use(answers(contract.settings, settings()), answers(contract.servers, [den()]))
    await user.click(box.getByRole('button', { name: 'Retry Connection' }))
    expect(await screen.findByRole('form', { name: 'Bot settings' })).toBeTruthy()
  })

  it('is awaited under its name', async () => {
    server.use(hangs(contract.settings))
    await renderPart(<DiscordBotPanel />)
    expect(screen.getByText('Loading the bot settings')).toBeTruthy()
  })
})

it('keeps the focus over the first save', async () => {
  const first = settings({ isDefault: false, rewardAmount: 1000 })
  server.use(answers(contract.saveSettings, first))
  const { user } = await renderTab()
  const form = screen.getByRole('form', { name: 'Bot settings' })
  server.use(answers(contract.settings, first))
  await user.click(press('Save settings'))
  await waitFor(() => expect(screen.queryByText(/Not saved yet/)).toBeNull())
  expect(screen.getByRole('form', { name: 'Bot settings' })).toBe(form)
})

describe('the whitelist', () => {
  it('shows each server with its channel, both ids and what is wrong', async () => {
    const problem = 'The bot lacks the permission Send Messages in this channel.'
    server.use(
      answers(contract.servers, [
        den(),
        den({ id: 4, serverName: 'Owl', problem, isActive: false }),
      ]),
    )
    await renderTab()
    const first = within(screen.getByRole('listitem', { name: 'Fox Den' }))
    for (const text of ['Fox Den', '#rewards', '910000000000000001', '910000000000000002', 'OK']) {
      expect(first.getByText(text)).toBeTruthy()
    }
    const second = within(screen.getByRole('listitem', { name: 'Owl' }))
    expect(second.getByText('Switched off')).toBeTruthy()
    expect(second.getByText(new RegExp(problem))).toBeTruthy()
  })

  it('takes a new server, or says what is missing or why it was refused', async () => {
    const { user } = await renderTab()
    await user.click(press('Add Server'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add Server' }))
    const add = () => user.click(dialog.getByRole('button', { name: 'Add server' }))
    const values = {
      'Server name': 'Den',
      'Server ID': '7',
      'Channel name': 'drops',
      'Channel ID': '8',
    }
    await add()
    for (const [label, value] of Object.entries(values)) {
      expect(await dialog.findByText(`${label} is required`)).toBeTruthy()
      fireEvent.change(dialog.getByLabelText(label), { target: { value } })
    }
    expect(sent).toEqual([])
    server.use(refuses(contract.addServer, 409, 'This Discord server is already on the list'))
    await add()
    const reason = 'This Discord server is already on the list'
    await expectFailed('Error', `Failed to add Discord server: ${reason}`)
    expect(dialog.getByLabelText<HTMLInputElement>('Server ID').value).toBe('7')
    server.use(records(contract.addServer, den(), sent))
    await add()
    await expectDone('Discord server added successfully')
    expect(sent).toMatchObject([
      {
        path: '/api/admin/discord/servers',
        body: { serverName: 'Den', serverId: '7', channelName: 'drops', channelId: '8' },
      },
    ])
  })

  it('lets a server go after a question, or says why not', async () => {
    server.use(refuses(contract.removeServer, 404, 'Discord server not found'))
    const { user } = await renderTab()
    const remove = async () => {
      await pressButton(user, 'Remove Fox Den')
      const question = within(await screen.findByRole('alertdialog'))
      expect(question.getByText('Are you sure you want to remove Fox Den?')).toBeTruthy()
      await user.click(question.getByRole('button', { name: 'Confirm' }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    }
    await remove()
    expect(await findFailure('Discord server not found')).toBeTruthy()
    const lost = loseRequests()
    await remove()
    expect(await findFailure('Failed to remove Discord server')).toBeTruthy()
    lost.mockRestore()
    server.use(records(contract.removeServer, { success: true, message: 'Removed' }, sent))
    await remove()
    await findToast({ description: 'Discord server removed successfully: Fox Den' })
    expect(sent).toMatchObject([{ path: '/api/admin/discord/servers/3' }])
  })

  it('takes the focus once the line of the server that had it is gone', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    server.use(records(contract.removeServer, { success: true, message: 'Removed' }, sent))
    const { user } = await renderTab()
    await pressButton(user, 'Remove Fox Den')
    server.use(answers(contract.servers, []))
    await pressButton(user, 'Confirm')
    const line = await screen.findByText('Deleted Fox Den.')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    act(() => line.closest('p')?.focus())
    await act(() => vi.advanceTimersByTimeAsync(undoMs))
    await screen.findByText('No servers yet')
    const list = screen.getByRole('region', { name: 'Discord servers' })
    expect(document.activeElement).toBe(list)
  })
})

describe('the settings', () => {
  it('start at 1000, active, with the usual hours; saved, or said why not', async () => {
    server.use(refuses(contract.saveSettings, 503, 'The service is busy'))
    const { user } = await renderTab()
    expect(screen.getByText(/Not saved yet, 25 applies/)).toBeTruthy()
    expect(field('Reward amount (RedCoin)').value).toBe('1000')
    expect(isOn('Active')).toBe(true)
    expect([6, 12, 18, 24].map(isTicked)).toEqual([true, true, true, true])
    expect(screen.getByText('Posts: 2 AM, 8 AM, 2 PM, and 8 PM Eastern time')).toBeTruthy()
    await user.click(press('Save settings'))
    await expectFailed('Error', 'Failed to save bot settings: The service is busy')
    const lost = loseRequests()
    await user.click(press('Save settings'))
    expect(await findFailure('Failed to save bot settings')).toBeTruthy()
    lost.mockRestore()
    server.use(records(contract.saveSettings, saved, sent))
    await user.click(press('Save settings'))
    await findToast({ description: 'Bot settings updated successfully' })
    expect(sent).toMatchObject([
      {
        path: '/api/admin/discord/bot-settings',
        body: { rewardAmount: 1000, isActive: true, postSchedule: [2, 8, 14, 20] },
      },
    ])
  })

  it('show saved hours as 6, 12, 18 and 24 and leave them alone when something else changes', async () => {
    const { user } = await renderTab(saved)
    expect(screen.queryByText(/Not saved yet/)).toBeNull()
    expect([6, 12, 18, 24].map(isTicked)).toEqual([true, true, true, true])
    fireEvent.change(field('Reward amount (RedCoin)'), { target: { value: '60' } })
    await user.click(press('Save settings'))
    await waitFor(() => expect(sent).toHaveLength(1))
    const expected = { rewardAmount: saved.rewardAmount }
    expect(sent[0]?.body).toEqual({ rewardAmount: 60, expected })
  })

  it('follow the ticks of hours', async () => {
    const { user } = await renderTab(saved)
    await user.click(hour(12))
    await user.click(screen.getByText('Other hours'))
    await user.click(hour(9))
    await user.click(press('Save settings'))
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ postSchedule: [2, 9, 14, 20] }))
  })

  it("that are ticked on while a save is on its way are nobody else's", async () => {
    const postSchedule = [2, 9, 14, 20]
    const late = holds(contract.saveSettings, () => HttpResponse.json({ ...saved, postSchedule }))
    server.use(late.handler)
    const { user } = await renderTab(saved)
    await user.click(screen.getByText('Other hours'))
    for (const shown of [12, 9]) await user.click(hour(shown))
    await user.click(press('Save settings'))
    await user.click(hour(10))
    server.use(answers(contract.settings, { ...saved, postSchedule }))
    late.release()
    await findToast({ description: 'Bot settings updated successfully' })
    expect([9, 10].map(isTicked)).toEqual([true, true])
    expect(screen.queryByText(/Somebody else has saved/)).toBeNull()
  })

  it('go back to the defaults, which are saved only when asked', async () => {
    const { user } = await renderTab({ ...saved, isActive: false, postSchedule: [9] })
    expect([isTicked(9), isTicked(6)]).toEqual([true, false])
    await user.click(press('Reset to defaults'))
    expect(field('Reward amount (RedCoin)').value).toBe('1000')
    expect(isOn('Active')).toBe(true)
    expect([6, 12, 18, 24, 9].map(isTicked)).toEqual([true, true, true, true, false])
    expect(sent).toEqual([])
    await user.click(press('Save settings'))
    await waitFor(() =>
      expect(sent[0]?.body).toMatchObject({
        rewardAmount: 1000,
        isActive: true,
        postSchedule: [2, 8, 14, 20],
      }),
    )
  })
})

it('a test claim goes to the channel that is named, or says why not', async () => {
  server.use(refuses(contract.testClaim, 503, 'The Discord bot has no token'))
  const { user } = await renderTab()
  const send = () => user.click(press('Send test claim'))
  await send()
  expect(await screen.findByText('Channel ID is required')).toBeTruthy()
  await user.click(press('Fox Den, #rewards'))
  expect(field('Channel ID').value).toBe('910000000000000002')
  await send()
  expect(await findFailure('The Discord bot has no token')).toBeTruthy()
  const lost = loseRequests()
  await send()
  expect(await findFailure('Failed to send test claim')).toBeTruthy()
  lost.mockRestore()
  const answer = { success: true, message: 'Sent', messageId: '1' }
  server.use(records(contract.testClaim, answer, sent))
  await send()
  await findToast({ description: 'Test claim sent successfully' })
  expect(sent).toMatchObject([
    { path: '/api/admin/discord/test-claim', body: { channelId: '910000000000000002' } },
  ])
})
