// The Discord bot's pane: state, whitelist, settings and test claim.

import {
  type BotSettings,
  adminBotsContract as contract,
  type DiscordServer,
} from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { records, type Sent } from '../../../test/catalogue-samples.ts'
import { answers, hangs, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { toastStore } from '../../ui/feedback/toast.ts'
import { BotCredentialsPanel } from '../twitch-bot/bot-credentials-panel.tsx'
import { DiscordBotPanel } from './shared/discord-bot.tsx'

const server = mockServer()
const lastToast = () => toastStore.get().toasts[0]
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
    records(contract.addServer, den(), sent),
    records(contract.removeServer, { success: true, message: 'Removed' }, sent),
    records(contract.saveSettings, saved, sent),
    records(contract.testClaim, { success: true, message: 'Sent', messageId: '1' }, sent),
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
  screen.getByRole('checkbox', { name: new RegExp(`^${shown} posts`) })
const isTicked = (shown: number) => hour(shown).getAttribute('aria-checked') === 'true'

it('is the first part of Bot Credentials, beside the Twitch bot', async () => {
  const { user } = await renderPart(<BotCredentialsPanel />)
  expect(await screen.findByRole('form', { name: 'Bot settings' })).toBeTruthy()
  expect(screen.getByRole('tab', { name: 'Discord Bot' }).getAttribute('aria-selected')).toBe(
    'true',
  )
  await user.click(screen.getByRole('tab', { name: 'Twitch Bot' }))
  expect(await screen.findByRole('form', { name: 'Twitch bot credentials' })).toBeTruthy()
})

/** From now on no request gets an answer, and no error says why. */
const loseRequests = () => vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error(''))
/** The text as it stands in a message about a failure. */
const findFailure = (text: string) =>
  screen.findByText(text, { selector: '[data-variant="destructive"] *' })

describe('the state of the bot', () => {
  it.each([
    [{ hasToken: false }, /has no token, so nothing is posted/],
    [{ problem: 'Discord does not accept the bot token.' }, /does not accept the bot token/],
    [{ isActive: false, isDefault: false, nextPostAt: null }, /switched off/],
    [{}, /Next post: .*, your time/],
  ])('%j is told in a sentence', async (change, sentence) => {
    await renderTab(change)
    expect(screen.getByText(sentence)).toBeTruthy()
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

  async function fillServer() {
    const rendered = await renderTab()
    await rendered.user.click(press('Add Server'))
    await screen.findByRole('dialog', { name: 'Add Server' })
    const part = within(screen.getByRole('dialog'))
    const values = {
      'Server name': 'Den',
      'Server ID': '7',
      'Channel name': 'drops',
      'Channel ID': '8',
    }
    for (const [label, value] of Object.entries(values)) {
      fireEvent.change(part.getByLabelText(label), { target: { value } })
    }
    return { ...rendered, part }
  }

  it('takes a new server', async () => {
    const { user, part } = await fillServer()
    await user.click(part.getByRole('button', { name: 'Add server' }))
    await waitFor(() =>
      expect(lastToast()).toMatchObject({
        title: 'Success',
        description: 'Discord server added successfully',
        duration: 3000,
      }),
    )
    expect(sent).toMatchObject([
      {
        path: '/api/admin/discord/servers',
        body: { serverName: 'Den', serverId: '7', channelName: 'drops', channelId: '8' },
      },
    ])
  })

  it('does not send an entry with a blank field', async () => {
    const { user } = await renderTab()
    await user.click(press('Add Server'))
    const part = within(await screen.findByRole('dialog', { name: 'Add Server' }))
    await user.click(part.getByRole('button', { name: 'Add server' }))
    for (const label of ['Server name', 'Server ID', 'Channel name', 'Channel ID']) {
      expect(await part.findByText(`${label} is required`)).toBeTruthy()
    }
    expect(sent).toEqual([])
  })

  it('says why a server was refused and keeps what was typed', async () => {
    server.use(refuses(contract.addServer, 409, 'This Discord server is already on the list'))
    const { user, part } = await fillServer()
    await user.click(part.getByRole('button', { name: 'Add server' }))
    await waitFor(() =>
      expect(lastToast()).toMatchObject({
        description: 'Failed to add Discord server: This Discord server is already on the list',
        variant: 'destructive',
        duration: 5000,
      }),
    )
    expect(part.getByLabelText<HTMLInputElement>('Server ID').value).toBe('7')
  })

  it('lets a server go after a question', async () => {
    const { user } = await renderTab()
    await user.click(press('Remove Fox Den'))
    await screen.findByText('Are you sure you want to remove Fox Den?')
    await user.click(press('Confirm'))
    await waitFor(() =>
      expect(lastToast()?.description).toBe('Discord server removed successfully: Fox Den'),
    )
    expect(sent).toMatchObject([{ path: '/api/admin/discord/servers/3' }])
  })

  it.each([
    ['in the words of the server', 'Discord server not found', 'Discord server not found'],
    ['in words of its own without a reason', '', 'Failed to remove Discord server'],
  ])('says %s when a server could not be removed', async (_, reason, shown) => {
    server.use(refuses(contract.removeServer, 404, reason))
    const { user } = await renderTab()
    await user.click(press('Remove Fox Den'))
    const confirm = await screen.findByRole('button', { name: 'Confirm' })
    if (reason === '') loseRequests()
    await user.click(confirm)
    expect(await findFailure(shown)).toBeTruthy()
  })
})

describe('the settings', () => {
  it('start at 1000, active, with the usual hours while nothing is saved', async () => {
    await renderTab()
    expect(screen.getByText(/Not saved yet, 25 applies/)).toBeTruthy()
    expect(field('Reward amount (RedCoin)').value).toBe('1000')
    expect(isOn('Active')).toBe(true)
    expect([6, 12, 18, 24].map(isTicked)).toEqual([true, true, true, true])
    expect(screen.getByText('Posts: 2 AM, 8 AM, 2 PM, and 8 PM Eastern time')).toBeTruthy()
  })

  it('are saved with the hours that 6, 12, 18 and 24 stand for', async () => {
    const { user } = await renderTab()
    await user.click(press('Save settings'))
    await waitFor(() => expect(lastToast()?.description).toBe('Bot settings updated successfully'))
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
    const { rewardAmount, isActive, postSchedule } = saved
    const expected = { rewardAmount, isActive, postSchedule }
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

  it('say why they were not saved', async () => {
    server.use(refuses(contract.saveSettings, 503, 'The service is busy'))
    const { user } = await renderTab()
    await user.click(press('Save settings'))
    await waitFor(() =>
      expect(lastToast()).toMatchObject({
        description: 'Failed to save bot settings: The service is busy',
        variant: 'destructive',
      }),
    )
  })
})

describe('a test claim', () => {
  it('goes to the channel that is named', async () => {
    const { user } = await renderTab()
    await user.click(press('Send test claim'))
    expect(await screen.findByText('Channel ID is required')).toBeTruthy()
    expect(sent).toEqual([])
    await user.click(press('Fox Den, #rewards'))
    expect(field('Channel ID').value).toBe('910000000000000002')
    await user.click(press('Send test claim'))
    await waitFor(() => expect(lastToast()?.description).toBe('Test claim sent successfully'))
    expect(sent).toMatchObject([
      { path: '/api/admin/discord/test-claim', body: { channelId: '910000000000000002' } },
    ])
  })

  it.each([
    ['in the words of the server', 'The Discord bot has no token', 'The Discord bot has no token'],
    ['in words of its own without a reason', '', 'Failed to send test claim'],
  ])('says %s that it was not sent', async (_, reason, shown) => {
    server.use(refuses(contract.testClaim, 503, reason))
    const { user } = await renderTab()
    fireEvent.change(field('Channel ID'), { target: { value: '1' } })
    if (reason === '') loseRequests()
    await user.click(press('Send test claim'))
    expect(await findFailure(shown)).toBeTruthy()
  })
})
