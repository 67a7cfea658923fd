// News as people set it up, and the list of messages as staff see it.

import {
  adminOutboxContract,
  type NotificationsResponse,
  notificationKinds,
  notificationsContract,
  type OutboxResponse,
  watchContract,
} from '@redpack/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, holds, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderApp, renderPart } from '../../../test/render.tsx'
import { lastToast } from '../../../test/toasts.ts'
import { sampleStream } from '../watch/watch-samples.fixture.ts'
import { NewsCard } from './news-card.tsx'
import { sampleNotifications } from './sample-notifications.fixture.ts'

const server = mockServer()
let sent: unknown[]
beforeEach(() => {
  sent = []
})

const kept = (endpoint: Parameters<typeof replies>[0], answer: NotificationsResponse) =>
  replies(endpoint, async (request) => {
    sent.push(await request.json())
    return HttpResponse.json(answer)
  })
/** The settings as the server knows them; each of the calls makes them the ones that it names. */
function serving(
  first: NotificationsResponse,
  after: [Parameters<typeof replies>[0], NotificationsResponse][],
) {
  let now = first
  server.use(
    replies(notificationsContract.read, () => HttpResponse.json(now)),
    ...after.map(([endpoint, next]) =>
      replies(endpoint, async (request) => {
        sent.push(await request.json())
        now = next
        return HttpResponse.json(now)
      }),
    ),
  )
}
const inUse = { address: 'ana@example.org', verified: true }

describe('the card', () => {
  it('sends a link to the suggested address, and says that it waits', async () => {
    serving(sampleNotifications(), [
      [notificationsContract.verifyEmail, sampleNotifications({ address: 'ana@example.org' })],
    ])
    const { user } = await renderPart(<NewsCard suggested="ana@example.org" />)
    await user.click(await screen.findByRole('button', { name: 'Send the link' }))
    expect(await screen.findByText(/We sent a link to/)).toBeTruthy()
    expect(sent).toEqual([{ address: 'ana@example.org' }])
    expect(await screen.findByRole('button', { name: 'Send the link again' })).toBeTruthy()
    await waitFor(() => expect(lastToast()?.description).toBe('The link is on its way'))
  })

  it.each([{ address: 'old@example.org' }, { ...inUse, pending: 'old@example.org' }])(
    'says that the link has expired, and sends another one: %j',
    async (email) => {
      server.use(
        answers(notificationsContract.read, sampleNotifications({ ...email, isLinkOver: true })),
        kept(notificationsContract.verifyEmail, sampleNotifications(email)),
      )
      const { user } = await renderPart(<NewsCard suggested="" />)
      expect(await screen.findByText(/The link that we sent to/)).toBeTruthy()
      expect(screen.queryByText('Waiting')).toBeNull()
      await user.click(screen.getByRole('button', { name: 'Send the link again' }))
      expect(await screen.findByText(/We sent a link to/)).toBeTruthy()
      expect(sent).toEqual([{ address: 'old@example.org' }])
    },
  )

  it('says what is wrong with an address', async () => {
    server.use(
      answers(notificationsContract.read, sampleNotifications()),
      refuses(notificationsContract.verifyEmail, 400, 'Invalid email'),
    )
    const { user } = await renderPart(<NewsCard suggested="x" />)
    await user.click(await screen.findByRole('button', { name: 'Send the link' }))
    expect(await screen.findByText('Invalid email')).toBeTruthy()
  })

  it('saves choices and quiet hours at once', async () => {
    server.use(
      answers(notificationsContract.read, sampleNotifications(inUse)),
      kept(notificationsContract.update, sampleNotifications(inUse)),
    )
    const { user } = await renderPart(<NewsCard suggested="" />)
    expect(await screen.findByText('ana@example.org')).toBeTruthy()
    await user.click(screen.getByText('News you get'))
    await user.click(screen.getByRole('checkbox', { name: 'Your wallet was changed: Email' }))
    await user.click(screen.getByText('Quiet hours'))
    await user.click(screen.getByRole('switch', { name: 'Pause news at night' }))
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() =>
      expect(sent).toEqual([
        { preferences: { wallet_changed: { email: false } } },
        { quietHours: { from: '22:00', until: '08:00' } },
        { channels: { email: null } },
      ]),
    )
  })

  it('saves an hour of the night once it is whole and left', async () => {
    const night = { from: '22:00', until: '08:00' }
    const settings = { ...sampleNotifications(inUse), quietHours: night }
    serving(settings, [[notificationsContract.update, settings]])
    const { user } = await renderPart(<NewsCard suggested="" />)
    await user.click(await screen.findByText('Quiet hours'))
    const from = screen.getByLabelText<HTMLInputElement>('From')
    await user.clear(from)
    expect(from.value).toBe('')
    await user.tab()
    expect(from.value).toBe('22:00')
    for (const [label, value] of [
      ['From', '21:30'],
      ['Until', '07:00'],
    ] as const) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: '' } })
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
      fireEvent.blur(screen.getByLabelText(label))
    }
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent).toEqual([
      { quietHours: { from: '21:30', until: '08:00' } },
      { quietHours: { from: '21:30', until: '07:00' } },
    ])
  })

  it('says that an address refused our mail', async () => {
    const refused = sampleNotifications({ refusedAt: '2026-11-20T10:00:00.000Z' })
    server.use(answers(notificationsContract.read, refused))
    await renderPart(<NewsCard suggested="" />)
    expect(await screen.findByText(/Your address refused our emails/)).toBeTruthy()
  })

  it('is not there where no mail can be sent, and says when it could not be loaded', async () => {
    server.use(answers(notificationsContract.read, sampleNotifications({}, false)))
    const { queryClient, unmount } = await renderPart(<NewsCard suggested="" />)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.queryByText('News')).toBeNull()
    unmount()
    server.use(refuses(notificationsContract.read, 500, 'Nothing works'))
    await renderPart(<NewsCard suggested="" />)
    expect(await screen.findByText('Error loading your news settings')).toBeTruthy()
  })
})

describe('on this device', () => {
  const device = '0123456789abcdef0123456789abcdef'
  const subscription = {
    endpoint: 'https://push.example/1',
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'B', auth: 'a' } }),
    unsubscribe: vi.fn(async () => true),
  }
  let current: typeof subscription | null

  function browserWith(permission: NotificationPermission): void {
    current = null
    const pushManager = {
      getSubscription: async () => current,
      subscribe: async () => {
        current = subscription
        return subscription
      },
    }
    const registration = { pushManager }
    vi.stubGlobal('PushManager', class {})
    vi.stubGlobal('Notification', { permission, requestPermission: async () => permission })
    const serviceWorker = {
      getRegistration: async () => registration,
      register: async () => registration,
      ready: Promise.resolve(registration),
    }
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker }))
    vi.spyOn(crypto.subtle, 'digest').mockResolvedValue(
      new Uint8Array(
        Array.from({ length: 32 }, (_, at) => ((at * 2) % 16) * 16 + ((at * 2 + 1) % 16)),
      ).buffer,
    )
  }
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  const withPush = (push: NotificationsResponse['channels']['push'] = []) => {
    const sample = sampleNotifications({}, false)
    return { ...sample, isPushSetUp: true, channels: { ...sample.channels, push } }
  }
  const own = { id: device, label: 'Chrome on Linux' }
  const other = { id: 'f'.repeat(32), label: 'Safari on iPhone' }
  const choice = () => screen.findByRole('switch', { name: 'On this device' })

  it('is off, asks the browser, and is on once the server knows the subscription', async () => {
    browserWith('granted')
    server.use(answers(notificationsContract.pushKey, { publicKey: 'BKey' }))
    serving(withPush(), [
      [notificationsContract.addDevice, withPush([own, other])],
      [notificationsContract.forgetDevice, withPush([other])],
    ])
    const { user } = await renderPart(<NewsCard suggested="" />)
    await waitFor(async () => expect((await choice()).hasAttribute('disabled')).toBe(false))
    await user.click(await choice())
    await waitFor(async () => expect((await choice()).getAttribute('aria-checked')).toBe('true'))
    expect(sent).toEqual([subscription.toJSON()])
    expect(screen.getByText('Safari on iPhone')).toBeTruthy()
    expect(screen.queryByText('Chrome on Linux')).toBeNull()
    await user.click(await choice())
    await waitFor(() => expect(subscription.unsubscribe).toHaveBeenCalled())
    expect(sent[1]).toEqual({ id: device })
    const remove = () => user.click(screen.getByRole('button', { name: 'Remove Safari on iPhone' }))
    const answer = async (name: string) => {
      const question = within(await screen.findByRole('alertdialog'))
      expect(question.getByText('Remove Safari on iPhone?')).toBeTruthy()
      await user.click(question.getByRole('button', { name }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    }
    await remove()
    await answer('Cancel')
    expect(sent).toHaveLength(2)
    await remove()
    await answer('Remove')
    await waitFor(() => expect(sent[2]).toEqual({ id: other.id }))
  })

  it.each([
    ['blocked', /This browser blocks our notifications/],
    ['unsupported', /This browser cannot show news/],
  ])('says so where it is %s', async (state, sentence) => {
    if (state === 'blocked') browserWith('denied')
    server.use(answers(notificationsContract.read, withPush()))
    await renderPart(<NewsCard suggested="" />)
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect((await choice()).hasAttribute('disabled')).toBe(true)
  })

  it('belongs to another person where the server does not know it as one of theirs', async () => {
    browserWith('granted')
    current = subscription
    server.use(answers(notificationsContract.read, withPush([other])))
    await renderPart(<NewsCard suggested="" />)
    expect((await choice()).getAttribute('aria-checked')).toBe('false')
  })
})

it('sends news to Discord where an account is linked, and says when Discord refused', async () => {
  const sample = sampleNotifications({}, false)
  const discordRefusedAt = '2026-11-20T10:00:00.000Z'
  const linked = { ...sample, isDiscordPossible: true }
  const refused = { ...linked, channels: { ...sample.channels, discordRefusedAt } }
  const asked = { email: false, push: false, discord: true }
  server.use(
    answers(watchContract.streams, [sampleStream(), sampleStream({ id: 2, displayName: 'Luna' })]),
  )
  serving(refused, [
    [
      notificationsContract.update,
      {
        ...linked,
        channels: { ...sample.channels, discord: true },
        preferences: { ...sample.preferences, stream_live: asked },
      },
    ],
  ])
  const { user } = await renderPart(<NewsCard suggested="" />)
  expect(await screen.findByText(/Discord refused our last message/)).toBeTruthy()
  await user.click(screen.getByRole('switch', { name: 'As a Discord message' }))
  await waitFor(() => expect(sent).toEqual([{ channels: { discord: true } }]))
  await user.click(await screen.findByText('News you get'))
  await user.click(screen.getByRole('checkbox', { name: 'A partner stream goes live: Discord' }))
  await waitFor(() => expect(sent[1]).toEqual({ preferences: { stream_live: { discord: false } } }))
  await user.click(await screen.findByRole('checkbox', { name: 'Luna' }))
  await waitFor(() => expect(sent[2]).toEqual({ liveStreams: [1] }))
})

it('keeps both of two streams that are ticked off before the first is saved', async () => {
  const stream = (id: number) => sampleStream({ id, displayName: `Stream ${id}` })
  const sample = sampleNotifications(inUse)
  const asked = { email: true, push: false, discord: false }
  const preferences = { ...sample.preferences, stream_live: asked }
  server.use(
    answers(watchContract.streams, [stream(1), stream(2), stream(3)]),
    answers(notificationsContract.read, { ...sample, preferences }),
    replies(notificationsContract.update, async (request) => {
      sent.push(await request.json())
      return new Promise<Response>(() => {})
    }),
  )
  const { user } = await renderPart(<NewsCard suggested="" />)
  await user.click(await screen.findByText('News you get'))
  const box = (id: number) => screen.findByRole('checkbox', { name: `Stream ${id}` })
  await user.click(await box(1))
  await user.click(screen.getByRole('checkbox', { name: 'Your wallet was changed: Email' }))
  await user.click(await box(2))
  await waitFor(() => expect(sent).toHaveLength(3))
  expect([sent[0], sent[2]]).toEqual([{ liveStreams: [2, 3] }, { liveStreams: [3] }])
})

describe('the page where links in mails end', () => {
  it('asks before it proves an address, and says when the link has ended', async () => {
    const over = 'This link was used or has expired. Get a new one from your profile.'
    server.use(refuses(notificationsContract.verify, 404, over))
    const { user } = await renderApp('/notifications?verify=7.ab')
    const yes = await screen.findByRole('button', { name: 'Yes, send it here' })
    await user.click(yes)
    expect((await screen.findByRole('alert')).textContent).toContain(over)
    const answer = { success: true, message: 'Your address is confirmed' } as const
    server.use(answers(notificationsContract.verify, answer))
    await user.click(yes)
    expect(await screen.findByText(/Your address is confirmed/)).toBeTruthy()
  })

  it.each(['', '?verify=', '?unsubscribe='])(
    'says so when it came with no token: %j',
    async (query) => {
      await renderApp(`/notifications${query}`)
      expect(await screen.findByText(/This link is not complete/)).toBeTruthy()
    },
  )

  it('asks before it takes somebody off the list', async () => {
    const answer = { success: true, message: 'You will get no more emails from us' } as const
    server.use(answers(notificationsContract.unsubscribe, answer))
    const { user } = await renderApp('/notifications?unsubscribe=7.ab')
    await user.click(await screen.findByRole('button', { name: 'Unsubscribe' }))
    expect(await screen.findByText('You will get no more emails from us.')).toBeTruthy()
  })
})

describe('the Messages tab', () => {
  const page: OutboxResponse = {
    messages: [
      {
        id: 5,
        kind: 'granted',
        channel: 'email',
        state: 'failed',
        attempts: 29,
        nextAttempt: null,
        lastError: 'SMTP 451 at RCPT TO',
        createdAt: '2026-11-20T10:00:00.000Z',
        sentAt: null,
      },
    ],
    counts: { waiting: 2, sent: 1_200, failed: 1 },
    ...{ total: 1_203, totalPages: 25, page: 1, limit: 50 },
  }

  it('counts by state, says why one failed, and sends it again', async () => {
    const answer = { success: true, message: 'The message is sent again' } as const
    server.use(
      answers(adminOutboxContract.list, page),
      replies(adminOutboxContract.again, (request) => {
        sent.push(new URL(request.url).pathname)
        return HttpResponse.json(answer)
      }),
    )
    const { user } = await renderApp('/admin?tab=messages')
    expect(await screen.findByText('SMTP 451 at RCPT TO')).toBeTruthy()
    expect(screen.getByText(/2 waiting, 1,200 sent, 1 failed/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(sent).toEqual(['/api/admin/outbox/5/again']))
  })

  it('shows what each kind says, and saves a sentence of staff', async () => {
    let stored: string | null = null
    const kinds = () =>
      notificationKinds.map((kind) => ({
        ...{ kind, sentence: stored, discord: `${kind} on \\*Discord\\*: <https://a.example/>` },
        email: { subject: `About ${kind}`, text: `Hello Ana. ${stored}` },
        push: { title: kind, body: '' },
      }))
    server.use(
      answers(adminOutboxContract.list, page),
      replies(adminOutboxContract.kinds, () => HttpResponse.json({ kinds: kinds() })),
      refuses(adminOutboxContract.saveSentence, 409, 'Somebody else has changed this meanwhile'),
    )
    const { user } = await renderApp('/admin?tab=messages')
    await user.click(await screen.findByText('Message texts'))
    await user.selectOptions(await screen.findByLabelText('Kind of news'), 'shipment_sent')
    expect(screen.getByText('shipment_sent on *Discord*: https://a.example/')).toBeTruthy()
    const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save the sentence' })
    expect(save().disabled).toBe(true)
    await user.type(screen.getByLabelText('Your own sentence'), 'Enjoy it!')
    // A look at another kind takes nothing away.
    await user.selectOptions(screen.getByLabelText('Kind of news'), 'granted')
    await user.selectOptions(screen.getByLabelText('Kind of news'), 'shipment_sent')
    stored = 'Thanks!'
    await user.click(save())
    expect(await screen.findByText('Sentence: now Thanks!, yours Enjoy it!')).toBeTruthy()
    server.use(
      replies(adminOutboxContract.saveSentence, async (request) => {
        sent.push(new URL(request.url).pathname, await request.json())
        stored = 'Enjoy it!'
        return HttpResponse.json({ kinds: kinds() })
      }),
    )
    await user.click(save())
    const body = { sentence: 'Enjoy it!', expected: { sentence: 'Thanks!' } }
    await waitFor(() => expect(sent).toEqual(['/api/admin/outbox/kinds/shipment_sent', body]))
    await waitFor(() => expect(save().disabled).toBe(true))
    expect(screen.queryByText(/Somebody else has saved/)).toBeNull()
    // Nor is it somebody else's when one types on while it is saved.
    const late = holds(adminOutboxContract.saveSentence, () => {
      stored = 'Enjoy it! A'
      return HttpResponse.json({ kinds: kinds() })
    })
    server.use(late.handler)
    await user.type(screen.getByLabelText('Your own sentence'), ' A')
    await user.click(save())
    await user.type(screen.getByLabelText('Your own sentence'), 'B')
    late.release()
    expect(await screen.findByText(/Hello Ana\. Enjoy it! A$/)).toBeTruthy()
    expect(screen.queryByText(/Somebody else has saved/)).toBeNull()
  })
})
