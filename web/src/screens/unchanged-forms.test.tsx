// Forms of staff that are sent as they came: they say that there was nothing to save, and send
// nothing. Those that stand on the page ask before what was changed in them is left, and keep what
// is typed while they are saved.

import {
  adminBotsContract,
  adminOutboxContract,
  adminOverviewContract,
  adminPackTypesContract,
  adminPrizesContract,
  adminStoreContract,
  adminStreamsContract,
  adminThemeContract,
  type EndpointShape,
  standingContract,
  themeDefault,
} from '@redpack/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sampleListing, samplePackType, samplePrize } from '../../test/catalogue-samples.ts'
import { answers, later, mockServer, replies } from '../../test/mock-server.ts'
import { renderPart } from '../../test/render.tsx'
import { findToast } from '../../test/toasts.ts'
import { StorePanel } from '../features/catalogue/listings-panel.tsx'
import { PackTypesPanel } from '../features/catalogue/pack-types-panel.tsx'
import { PrizesPanel } from '../features/catalogue/prizes-panel.tsx'
import { DiscordBotPanel } from '../features/discord-bot/shared/discord-bot.tsx'
import { NewsPreviews } from '../features/outbox/messages-panel.tsx'
import { ThemePanel } from '../features/settings/theme-panel.tsx'
import { TwitchBot } from '../features/twitch-bot/bot-credentials-panel.tsx'
import { StreamsPanel } from '../features/watch/streams-panel.tsx'
import { sampleAdminStream } from '../features/watch/watch-samples.fixture.ts'
import { useSearchValue } from '../lib/search-value.ts'

const server = mockServer()
const at = '2026-11-21T09:00:00.000Z'
const changing: string[] = []

const botSettings = {
  ...{ rewardAmount: 40, isActive: true, postSchedule: [2, 8, 14, 20], isDefault: false },
  ...{ hasToken: true, problem: null, nextPostAt: null },
}
const credentials = {
  ...{ botUsername: 'redpackbot', botUserId: '77', clientId: 'client', scopes: '', expiresAt: at },
  ...{ accessToken: '••••••••abcd', refreshToken: '••••••••efgh', isActive: true, checkedAt: at },
  ...{ canSendChat: true, canReadChatters: true, canRefresh: true },
  ...{ state: 'ready' as const, advice: null },
}

beforeAll(() => {
  server.events.on('request:start', ({ request }) => {
    const isPreview = request.url.endsWith('/preview')
    if (request.method !== 'GET' && !isPreview) changing.push(request.url)
  })
})

beforeEach(() => {
  changing.length = 0
  server.use(
    answers(adminPackTypesContract.list, [samplePackType()]),
    answers(adminPrizesContract.list, [samplePrize()]),
    answers(adminStoreContract.list, [sampleListing()]),
    answers(adminOutboxContract.kinds, {
      kinds: [
        {
          kind: 'prize_won',
          ...{ sentence: null, discord: '' },
          email: { subject: '', text: '' },
          push: { title: '', body: '' },
        },
      ],
    }),
    answers(adminStreamsContract.list, [sampleAdminStream()]),
    answers(adminThemeContract.theme, themeDefault),
    answers(adminOverviewContract.economySettings, { consolationRedCoin: 5 }),
    answers(standingContract.nameWords, { words: [], hidesAtOnce: false }),
    answers(adminBotsContract.servers, []),
    answers(adminBotsContract.settings, botSettings),
    answers(adminBotsContract.credentials, credentials),
  )
})

interface Form {
  readonly panel: ReactElement
  /** The button that opens the form; absent where it stands in the page. */
  readonly open?: string
  readonly submit: string
}

it.each<[string, Form]>([
  ['prize', { panel: <PrizesPanel />, open: 'Edit Hoodie', submit: 'Save changes' }],
  ['pack type', { panel: <PackTypesPanel />, open: 'Edit Crown Pack', submit: 'Save changes' }],
  [
    'listing',
    { panel: <StorePanel />, open: 'Edit listing of Crown Pack', submit: 'Save changes' },
  ],
  ['stream', { panel: <StreamsPanel />, open: 'Edit Pixel Otter', submit: 'Save changes' }],
  ['theme', { panel: <ThemePanel />, submit: 'Update Theme' }],
  ['Discord settings', { panel: <DiscordBotPanel />, submit: 'Save settings' }],
  ['Twitch credentials', { panel: <TwitchBot />, submit: 'Save credentials' }],
])('an unchanged form says that there is nothing to save: %s', async (_, form) => {
  const { user } = await renderPart(form.panel)
  if (form.open) await user.click(await screen.findByRole('button', { name: form.open }))
  await user.click(await screen.findByRole('button', { name: form.submit }))
  await findToast({ title: 'Nothing to save', description: 'Nothing was changed.' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changing).toEqual([])
})

function OnTab({ panel }: Pick<Form, 'panel'>) {
  const [tab, setTab] = useSearchValue('tab')
  return (
    <>
      <button type="button" onClick={() => setTab('users')}>
        Go
      </button>
      {tab === '' && panel}
    </>
  )
}

it.each<readonly [string, ReactElement]>([
  ['Primary color', <ThemePanel key="theme" />],
  ['RedCoin for a losing pack', <ThemePanel key="consolation" />],
  ['One word per line', <ThemePanel key="words" />],
  ['Reward amount (RedCoin)', <DiscordBotPanel key="discord" />],
  ['Bot username', <TwitchBot key="twitch" />],
  ['Price (RedCoin)', <StorePanel key="listing" />],
  ['Your own sentence', <NewsPreviews key="sentence" />],
])('another tab is asked about while something is unsaved: %s', async (label, panel) => {
  const { user } = await renderPart(<OnTab panel={panel} />)
  const field = await screen.findByLabelText<HTMLInputElement>(label)
  const before = field.value
  const go = () => user.click(screen.getByText('Go'))
  fireEvent.change(field, { target: { value: '7' } })
  await go()
  await user.click(await screen.findByRole('button', { name: 'Stay here' }))
  expect(field.value).toBe('7')
  fireEvent.change(field, { target: { value: before } })
  await go()
  await waitFor(() => expect(screen.queryByLabelText(label)).toBeNull())
})

interface Saved {
  readonly panel: ReactElement
  readonly label: string
  readonly values: readonly [first: string, next: string]
  readonly call: EndpointShape
  readonly answer: object
  readonly submit: string
}

it.each<Saved>([
  {
    ...{ panel: <TwitchBot />, label: 'Bot user ID', values: ['7', '78'] },
    ...{ call: adminBotsContract.saveCredentials, answer: { ...credentials, botUserId: '7' } },
    submit: 'Save credentials',
  },
  {
    ...{ panel: <DiscordBotPanel />, label: 'Reward amount (RedCoin)', values: ['7', '45'] },
    ...{ call: adminBotsContract.saveSettings, answer: { ...botSettings, rewardAmount: 7 } },
    submit: 'Save settings',
  },
  {
    ...{ panel: <ThemePanel />, label: 'Accent color', values: ['#777777', '#123456'] },
    ...{ call: adminThemeContract.save, answer: { ...themeDefault, accentColor: '#777777' } },
    submit: 'Update Theme',
  },
  {
    ...{ panel: <ThemePanel />, label: 'One word per line', values: ['7', 'stoat'] },
    ...{ call: standingContract.saveNameWords, answer: { words: ['7'], hidesAtOnce: false } },
    submit: 'Save words',
  },
  {
    ...{ panel: <StorePanel />, label: 'Price (RedCoin)', values: ['7', '900'] },
    ...{ call: adminStoreContract.create, answer: sampleListing(), submit: 'Create listing' },
  },
])('what is typed while it is saved stays: $label', async ({ panel, label, values, ...form }) => {
  const { given, give } = later()
  server.use(replies(form.call, () => given))
  const { user } = await renderPart(panel)
  const field = await screen.findByLabelText<HTMLInputElement>(label)
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  type(values[0])
  if (form.call === adminStoreContract.create) {
    await screen.findByRole('option', { name: 'Crown Pack' })
    await user.selectOptions(screen.getByLabelText('Pack type'), 'Crown Pack')
  }
  await user.click(screen.getByRole('button', { name: form.submit }))
  type(values[1])
  give(Response.json(form.answer))
  await findToast({ title: 'Success' })
  expect(field.value).toBe(values[1])
  expect(screen.queryByText(/Somebody else has saved/)).toBeNull()
})
