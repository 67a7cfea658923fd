import {
  authContract,
  claimsContract,
  type Holding,
  type OpeningResult,
  type PackType,
  packsContract,
  type SessionUser,
} from '@redpack/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testNow } from '../../../tools/test-clock.ts'
import { holdWaits } from '../../test/held-waits.ts'
import { answers, hangs, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { findToast } from '../../test/toasts.ts'
import {
  answerOf,
  losing,
  sampleHolding,
  sampleType,
  winning,
} from '../features/packs/opening-samples.fixture.ts'
import { openingStepMs } from '../features/packs/stage-timeline.ts'
import { balanceEvent, onBalance } from '../features/session/balance-queries.ts'
import { changedTopics } from '../lib/changed-topics.ts'

// What openings prove is the matter of another file.
vi.mock('../features/fairness/own-draws.ts', async (original) => ({
  ...(await original<typeof import('../features/fairness/own-draws.ts')>()),
  ...(await import('../features/packs/opening-samples.fixture.ts')).takenForProven,
}))

const packType = (id: number, name: string, change: Partial<PackType> = {}) =>
  sampleType({ id, name, description: `${name} in words`, icon: 'package', ...change })

const types = [
  packType(1, 'Crown Pack', { imageUrl: '/art/pack-crown.svg' }),
  packType(2, 'Stored Pack', { imageData: 'QUJD', imageType: 'image/webp' }),
  packType(3, 'Purple Pack', { icon: 'gem', color: 'twitch-purple' }),
  packType(4, 'Blue Pack', { icon: 'cube', color: '#0080FF' }),
  packType(5, 'Orange Pack', { icon: 'crown', color: 'gaming-orange' }),
  packType(6, 'Empty Pack'),
]

const holding = (packTypeId: number, quantity: number) =>
  sampleHolding(quantity, types[packTypeId - 1])

const held = [12, 80, 1, 1, 1, 0].map((quantity, at) => holding(at + 1, quantity))

let requests: string[]
let sentKeys: (string | null)[]

const server = mockServer()

function opensWith(results: OpeningResult[], updatedBalance = 1205) {
  return replies(packsContract.open, (request) => {
    sentKeys.push(request.headers.get('idempotency-key'))
    return HttpResponse.json(answerOf(results, updatedBalance))
  })
}

beforeEach(() => {
  requests = []
  sentKeys = []
  server.events.removeAllListeners()
  server.events.on('request:start', ({ request }) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`)
  })
  server.use(
    answers(authContract.me, sampleUser({ redCoinBalance: 1200 })),
    answers(packsContract.types, types),
    answers(packsContract.holdings, held),
  )
})

async function openInventory() {
  const app = await renderApp('/inventory')
  await screen.findByRole('radiogroup', { name: 'Your packs' })
  return app
}

const card = (name: string) => screen.getByRole('radio', { name: new RegExp(name) })
const dropdown = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Pack Type' })
const quantity = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Quantity' })
const openButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Open Packs' })

const keptOpenings = () =>
  Object.keys(localStorage).filter((key) => key.startsWith('redpack:opening:'))

function shows(text: string): boolean {
  return document.body.textContent?.includes(text) ?? false
}

async function openPacks(app: Awaited<ReturnType<typeof openInventory>>, count = '1') {
  await app.user.click(card('Crown Pack'))
  fireEvent.change(quantity(), { target: { value: count } })
  await app.user.click(openButton())
}

async function closeModal(app: Awaited<ReturnType<typeof openInventory>>) {
  await screen.findByRole('dialog')
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // The last of what happens then, each in a frame of its own.
  await screen.findByText('Pack Opening Complete!')
  await waitFor(() => expect(document.body.style.pointerEvents).not.toBe('none'))
}

describe('the packs', () => {
  it('are counted in groups of digits', async () => {
    server.use(answers(packsContract.holdings, [holding(3, 5000)]))
    await openInventory()
    expect(screen.getByRole('option', { name: /\(5,000\)$/ })).toBeTruthy()
  })

  it('shows the balance and only owned types with a quantity above 0', async () => {
    await openInventory()
    const balance = screen.getByRole('region', { name: 'RedCoin Balance' })
    expect(balance.textContent).toContain('1,200')
    expect(screen.getAllByRole('radio')).toHaveLength(5)
    expect(shows('Empty Pack')).toBe(false)
  })

  it('shows image, name, description and count on a card', async () => {
    const app = await openInventory()
    const crown = within(card('Crown Pack'))
    expect(crown.getByText('Crown Pack in words')).toBeDefined()
    expect(crown.getByText('12 available')).toBeDefined()
    expect(card('Crown Pack').querySelector('img')?.getAttribute('src')).toBe('/art/pack-crown.svg')
    expect(card('Stored Pack').querySelector('img')?.getAttribute('src')).toBe(
      'data:image/webp;base64,QUJD',
    )
    const isFolded = () =>
      within(card('Stored Pack')).getByText('Stored Pack in words').className.includes('line-clamp')
    expect(isFolded()).toBe(true)
    await app.user.click(card('Stored Pack'))
    expect(isFolded()).toBe(false)
    fireEvent.error(card('Crown Pack').querySelector('img') as HTMLElement)
    expect(card('Crown Pack').querySelector('img')).toBeNull()
    expect(card('Crown Pack').querySelector('[data-icon]')).toBeTruthy()
  })

  it('draws an icon in the colour of its theme without an image', async () => {
    await openInventory()
    const drawn = ['Purple Pack', 'Blue Pack', 'Orange Pack'].map((name) => {
      const plate = card(name).querySelector<HTMLElement>('.card-image-plate')
      return [
        plate?.querySelector('[data-icon]')?.getAttribute('data-icon'),
        plate?.style.getPropertyValue('--tint'),
      ]
    })
    expect(drawn).toEqual([
      ['gem', '#9146ff'],
      ['cube', '#0080ff'],
      ['crown', '#ff6b35'],
    ])
  })

  it('leads to the store when there are none', async () => {
    server.use(answers(packsContract.holdings, [holding(6, 0)]))
    await renderApp('/inventory')
    const link = await screen.findByRole('link', { name: 'Visit the store' })
    expect(link.getAttribute('href')).toBe('/store')
    expect(shows('No packs to open')).toBe(true)
  })
})

describe('the Opening Controls', () => {
  it('offer the owned types, and follow the card that is clicked', async () => {
    const app = await openInventory()
    expect(screen.getByRole('region', { name: 'Opening Controls' })).toBeDefined()
    expect([...dropdown().options].map((option) => option.label)).toEqual([
      'Select a pack type',
      'Crown Pack (12)',
      'Stored Pack (80)',
      'Purple Pack (1)',
      'Blue Pack (1)',
      'Orange Pack (1)',
    ])
    expect(dropdown().value).toBe('1')
    expect(card('Crown Pack').getAttribute('aria-checked')).toBe('true')
    await app.user.click(card('Stored Pack'))
    expect(dropdown().value).toBe('2')
    await app.user.selectOptions(dropdown(), '3')
    expect(card('Purple Pack').getAttribute('aria-checked')).toBe('true')
  })

  it('keep the first pack, which nobody picked, when another comes before it', async () => {
    server.use(answers(packsContract.holdings, [holding(2, 80)]))
    await openInventory()
    fireEvent.change(quantity(), { target: { value: '5' } })
    server.use(answers(packsContract.holdings, [holding(1, 1), holding(2, 80)]))
    act(() => changedTopics.announce(['holdings'], 'news'))
    await screen.findByRole('radio', { name: /Crown Pack/ })
    expect([dropdown().value, quantity().value]).toEqual(['2', '5'])
  })

  it('leave the choice to the player when packs are taken away elsewhere', async () => {
    const app = await openInventory()
    const take = (...left: Holding[]) => {
      server.use(answers(packsContract.holdings, left))
      act(() => changedTopics.announce(['holdings'], 'news'))
    }
    await app.user.click(card('Crown Pack'))
    fireEvent.change(quantity(), { target: { value: '8' } })
    take(holding(1, 3), holding(3, 9))
    await screen.findByText('You have only 3 of these.')
    expect(quantity().value).toBe('8')
    take(holding(3, 9))
    await screen.findByText('Choose a pack type first.')
    expect([dropdown().value, quantity().value]).toEqual(['', '8'])
    expect(card('Purple Pack').getAttribute('aria-checked')).toBe('false')
  })

  it('take a quantity from 1 to 50', async () => {
    const app = await openInventory()
    expect([quantity().type, quantity().min, quantity().max]).toEqual(['number', '1', '50'])
    fireEvent.change(quantity(), { target: { value: '51' } })
    expect(quantity().value).toBe('50')
    // The quick quantities go up to what is held.
    await app.user.click(card('Stored Pack'))
    await app.user.click(screen.getByRole('button', { name: 'Max, 50' }))
    expect(quantity().value).toBe('50')
    await app.user.click(card('Crown Pack'))
    await app.user.click(screen.getByRole('button', { name: 'Max, 12' }))
    expect(quantity().value).toBe('12')
    await app.user.click(screen.getByRole('button', { name: '5' }))
    expect(quantity().value).toBe('5')
    await app.user.click(card('Purple Pack'))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '10' }).disabled).toBe(true)
  })

  it("keep 'Open Packs' disabled with no type, an empty quantity or one below 1, and say why", async () => {
    const app = await openInventory()
    const reason = () => {
      expect(openButton().disabled).toBe(true)
      return document.getElementById(openButton().getAttribute('aria-describedby') ?? '')
        ?.textContent
    }
    await app.user.selectOptions(dropdown(), '')
    expect(reason()).toBe('Choose a pack type first.')
    await app.user.click(card('Crown Pack'))
    expect(openButton().disabled).toBe(false)
    fireEvent.change(quantity(), { target: { value: '' } })
    expect(reason()).toBe('Enter how many packs to open.')
    fireEvent.change(quantity(), { target: { value: '0' } })
    expect(reason()).toBe('The quantity must be at least 1.')
  })

  it("read 'Opening...' and are disabled while pending", async () => {
    server.use(hangs(packsContract.open))
    const app = await openInventory()
    await openPacks(app)
    const button = await screen.findByRole('button', { name: 'Opening...' })
    expect(button.ariaDisabled).toBe('true')
    expect(screen.queryByRole('dialog')).toBeNull()
    // What it asks after the test would be asked in the next one.
    await waitFor(() => expect(requests).toContain('POST /api/packs/open'))
  })
})

describe('what cannot be opened', () => {
  it("without a type says 'Please select a pack type'", async () => {
    const app = await openInventory()
    await app.user.selectOptions(dropdown(), '')
    fireEvent.submit(openButton().closest('form')!)
    const title = await screen.findByText('Error')
    expect(title.parentElement?.textContent).toContain('Please select a pack type')
    expect(requests).not.toContain('POST /api/packs/open')
  })

  it("above the holding says 'Insufficient packs' without a call", async () => {
    const app = await openInventory()
    await openPacks(app, '13')
    const description = 'Insufficient packs'
    await findToast({ title: 'Pack Opening Error', description, duration: 10_000 })
    expect(requests).not.toContain('POST /api/packs/open')
  })

  it("shows the server's sentence in a destructive toast for 10 seconds, and opens no modal", async () => {
    const description = 'Quantity must be between 1 and 50'
    server.use(refuses(packsContract.open, 400, description))
    await openPacks(await openInventory())
    const look = { variant: 'destructive', duration: 10_000 } as const
    await findToast({ title: 'Pack Opening Error', description, ...look })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(keptOpenings()).toEqual([])
  })

  it('says that the session has ended, on the first screen', async () => {
    const app = await openInventory()
    server.use(
      refuses(authContract.me, 401, 'Unauthorized', 'unauthorized'),
      refuses(packsContract.open, 401, 'Unauthorized', 'unauthorized'),
    )
    await openPacks(app)
    expect(await screen.findByText('Login with Twitch')).toBeTruthy()
    await expectToast('Pack Opening Error', 'Your session has ended. Please log in again.')
    expect(document.body.textContent).not.toContain('Unauthorized')
  })

  const expectToast = async (title: string, text: string) =>
    expect((await screen.findByText(title)).parentElement?.textContent).toContain(text)

  it("says 'Failed to start pack opening. Please try again.' when it breaks before the call", async () => {
    const app = await openInventory()
    vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
      throw new Error('broken')
    })
    await openPacks(app)
    await expectToast('Error', 'Failed to start pack opening. Please try again.')
  })
})

describe('after an opening', () => {
  it('takes the balance from the answer and asks again for user and packs', async () => {
    server.use(opensWith([losing(5)], 1205))
    const app = await openInventory()
    // The answer to the next session call never comes: what is cached can only be the opening's.
    server.use(hangs(authContract.me))
    requests.length = 0
    await openPacks(app)
    await screen.findByRole('dialog')
    const cached = app.queryClient.getQueryData<SessionUser>([authContract.me.path])
    expect(cached?.redCoinBalance).toBe(1205)
    await waitFor(() => {
      const after = requests.slice(requests.indexOf('POST /api/packs/open') + 1)
      expect(after).toContain('GET /api/auth/me')
      expect(after).toContain('GET /api/user/packs')
    })
  })

  it('asks for no more packs than are left, nor than there are of another type', async () => {
    server.use(opensWith([losing(5)]))
    const app = await openInventory()
    server.use(answers(packsContract.holdings, [holding(1, 4), holding(3, 1)]))
    await openPacks(app, '12')
    await closeModal(app)
    await waitFor(() => expect(quantity().value).toBe('4'))
    await app.user.click(card('Purple Pack'))
    expect(quantity().value).toBe('1')
    // What somebody types is theirs; the notice says what there is.
    fireEvent.change(quantity(), { target: { value: '9' } })
    expect(quantity().value).toBe('9')
    expect(shows('You have only 1 of these.')).toBe(true)
  })

  it('broadcasts the balance when the modal closes, not before', async () => {
    const heard = vi.fn()
    const listen = (event: CustomEvent) => heard(event.detail)
    window.addEventListener(balanceEvent, listen)
    server.use(opensWith([losing(5)], 1205))
    const app = await openInventory()
    await openPacks(app)
    await screen.findByRole('dialog')
    expect(heard).not.toHaveBeenCalled()
    await closeModal(app)
    await waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith({ balance: 1205 }))
    window.removeEventListener(balanceEvent, listen)
  })

  it("says 'Pack Opening Complete!' and what was opened; the focus is back on the button", async () => {
    server.use(opensWith([losing(5), losing(5)]))
    const app = await openInventory()
    await openPacks(app, '2')
    await closeModal(app)
    const description = 'Opened 2 pack(s)'
    await findToast({ title: 'Pack Opening Complete!', description, duration: 3_000 })
    expect(document.activeElement).toBe(openButton())
  })

  it('adds the prizes and a way to them', async () => {
    const results = [winning(), losing(5), losing(5)]
    server.use(
      opensWith([...results, { ...winning({ claimId: 'PR-C' }), prizeId: null }]),
      hangs(claimsContract.list),
    )
    const app = await openInventory()
    await openPacks(app, '4')
    await closeModal(app)
    expect(await screen.findByText('Opened 4 pack(s) - Won 1 prize(s)!')).toBeDefined()
    // While the layer of the dialog ends, nothing takes a click.
    await waitFor(() => app.user.click(screen.getByRole('button', { name: 'View prizes' })))
    await waitFor(() => expect(app.router.state.location.pathname).toBe('/my-prizes'))
  })

  it('keeps what was skipped in a card that can be dismissed', async () => {
    server.use(opensWith([winning({ name: 'Hoodie', claimId: 'PR-A' }), losing(5), losing(5)]))
    const app = await openInventory()
    holdWaits('Timeout', openingStepMs)
    await openPacks(app, '3')
    await closeModal(app)
    const last = within(await screen.findByRole('region', { name: 'Last opening' }))
    expect(last.getByText('Hoodie')).toBeDefined()
    expect(last.getByText('PR-A')).toBeDefined()
    expect(last.getByText(/3 results were skipped/)).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: 'Dismiss last opening' }))
    expect(screen.queryByRole('region', { name: 'Last opening' })).toBeNull()
  })
})

describe('an interrupted opening', () => {
  it('is kept before it is sent, and sent again under the same key when no answer came', async () => {
    let keptWhileSending: string[] = []
    let calls = 0
    server.use(
      replies(packsContract.open, (request) => {
        calls += 1
        sentKeys.push(request.headers.get('idempotency-key'))
        keptWhileSending = Object.keys(localStorage)
        return calls === 1 ? HttpResponse.error() : HttpResponse.json(answerOf([losing(5)], 1205))
      }),
    )
    const app = await openInventory()
    await openPacks(app)
    await screen.findByRole('dialog')
    expect(sentKeys).toHaveLength(2)
    expect(sentKeys[0]).toBe(sentKeys[1])
    expect(keptWhileSending).toContain(`redpack:opening:${sentKeys[0]}`)
  })

  it('is not done twice when the same packs are ordered again', async () => {
    server.use(replies(packsContract.open, () => HttpResponse.error()))
    const app = await openInventory()
    await openPacks(app, '2')
    await screen.findByText('No answer came for your opening of 2 packs')
    const [kept] = keptOpenings()
    server.use(opensWith([losing(5), losing(5)]))
    await openPacks(app, '2')
    await closeModal(app)
    await openPacks(app, '2')
    await closeModal(app)
    expect(`redpack:opening:${sentKeys[0]}`).toBe(kept)
    expect(sentKeys[1]).not.toBe(sentKeys[0])
  })

  it('counts once it is answered, whichever attempt it was: cache, event and toast', async () => {
    server.use(replies(packsContract.open, () => HttpResponse.error()))
    const app = await openInventory()
    await openPacks(app)
    await screen.findByText('Pack Opening Error')
    expect(await screen.findByText(/^No answer came for your opening/)).toBeDefined()
    const [kept] = keptOpenings()
    await app.user.click(screen.getByRole('button', { name: 'Ask again' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Ask again' })).toBeDefined())
    server.use(opensWith([losing(5)], 1205), hangs(authContract.me))
    await app.user.click(screen.getByRole('button', { name: 'Ask again' }))
    await screen.findByRole('dialog')
    expect(`redpack:opening:${sentKeys[0]}`).toBe(kept)
    expect(app.queryClient.getQueryData<SessionUser>([authContract.me.path])?.redCoinBalance).toBe(
      1205,
    )
    // From here on: what an earlier test has closed is told a frame or two later.
    const heard: number[] = []
    const stop = onBalance((balance) => heard.push(balance))
    await closeModal(app)
    expect(screen.queryByText(/No answer came/)).toBeNull()
    expect(await screen.findByText('Pack Opening Complete!')).toBeTruthy()
    expect(heard).toEqual([1205])
    stop()
  })

  it('offers the unseen results after a closed tab, from where it was left', async () => {
    const key = 'left'
    const results = [losing(1), losing(2), winning({ name: 'Hoodie' })]
    const order = { packTypeId: 1, quantity: 3 }
    const opening = { key, userId: 7, order, sentAt: testNow() }
    localStorage.setItem(
      `redpack:opening:${key}`,
      JSON.stringify({ ...opening, answer: answerOf(results, 1) }),
    )
    localStorage.setItem(
      `redpack:opening-progress:${key}`,
      JSON.stringify({ seen: 1, isClosed: false }),
    )
    const app = await openInventory()
    expect(screen.getByText('You have 2 results you have not seen yet')).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: 'Show results' }))
    expect(await screen.findByRole('heading', { name: 'Result 2 of 3' })).toBeDefined()
    await closeModal(app)
    expect(screen.queryByText(/you have not seen yet/)).toBeNull()
  })
})
