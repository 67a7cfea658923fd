// The Pack Store as its user sees it.

import {
  authContract,
  coinsContract,
  fairnessContract,
  type Listing,
  type PackType,
  packsContract,
  type SessionUser,
  storeContract,
} from '@redpack/contract'
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { colourOf } from '../../test/colour-of.ts'
import { answers, later, mockServer, refuses, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleUser } from '../../test/samples.ts'
import { sampleOffer, sampleType } from '../features/packs/opening-samples.fixture.ts'
import { onBalance } from '../features/session/balance-queries.ts'

// Asking of every row whether it can be seen would take longer than all the rest; nothing here
// hides.
configure({ defaultHidden: true })

const server = mockServer(answers(coinsContract.leaderboard, []))

let balance: number
let listings: Listing[]
/** How often each address was asked for. */
let asked: Record<string, number>

beforeEach(() => {
  balance = 1000
  listings = [listing({})]
  asked = {}
  const count = (path: string) => {
    asked[path] = (asked[path] ?? 0) + 1
  }
  server.use(
    replies(authContract.me, () => {
      count('me')
      return HttpResponse.json(sampleUser({ redCoinBalance: balance }))
    }),
    replies(storeContract.listings, () => {
      count('listings')
      return HttpResponse.json(listings)
    }),
    replies(packsContract.holdings, () => {
      count('holdings')
      return HttpResponse.json([])
    }),
  )
})

const listing = (change: Partial<Listing>, pack: Partial<PackType> = {}) =>
  sampleOffer(change, sampleType({ description: 'Fit for a king', ...pack }))

/** Opens the store and waits for the card of a pack. */
async function openStore(pack = 'Crown Pack') {
  const app = await renderApp('/store')
  const article = await screen.findByRole('article', { name: pack })
  return { ...app, article, card: within(article) }
}

type Card = Awaited<ReturnType<typeof openStore>>['card']

function quantityOf(card: Card): HTMLInputElement {
  return card.getByRole('spinbutton', { name: 'Quantity' })
}

async function typeQuantity(
  { user, card }: Pick<Awaited<ReturnType<typeof openStore>>, 'user' | 'card'>,
  text: string,
) {
  await user.clear(quantityOf(card))
  if (text !== '') await user.type(quantityOf(card), text)
}

/** Serves purchases and keeps what was sent. */
function sell(answer: () => Response | Promise<Response> = () => HttpResponse.json(sold(900))) {
  const orders: { key: string | null; body: unknown }[] = []
  server.use(
    replies(storeContract.purchase, async (request) => {
      orders.push({ key: request.headers.get('idempotency-key'), body: await request.json() })
      return answer()
    }),
  )
  return orders
}

/** Serves purchases, each of which is answered when the test says so. */
function sellLater() {
  const { given, give: answer } = later()
  return { orders: sell(() => given), answer }
}

function sold(updatedBalance: number) {
  return { success: true, message: 'Purchase successful', updatedBalance }
}

/** Answers that the price is another one by now. */
function risePrice() {
  listings = [listing({ redCoinPrice: 120 })]
  return HttpResponse.json(
    { code: 'price_changed', message: 'The price has changed', error: 'x', requestId: 'r' },
    { status: 409 },
  )
}

describe('a listing', () => {
  it('shows the pack, its price and the balance above', async () => {
    listings = [listing({}), listing({ id: 6 }, { name: 'Gem Pack' })]
    const { card } = await openStore()
    expect(screen.getByRole('region', { name: 'RedCoin Balance' }).textContent).toContain(
      `${(1000).toLocaleString()} RedCoin`,
    )
    expect(screen.getAllByRole('article')).toHaveLength(2)
    expect(card.getByText('Fit for a king')).toBeTruthy()
    expect(card.getAllByText('100 RedCoin')).toHaveLength(2)
  })

  it('shows its own image before that of the pack type, and the icon when it is broken', async () => {
    listings = [
      listing({ customImage: '/own.png' }, { imageUrl: '/pack.png' }),
      listing({ id: 6 }, { name: 'Plain', imageUrl: '/pack.png' }),
      listing({ id: 7 }, { name: 'Uploaded', imageData: 'QUJD', imageType: 'image/webp' }),
    ]
    const { article } = await openStore()
    const sourceIn = (card: HTMLElement) => card.querySelector('img')?.getAttribute('src')
    expect(sourceIn(article)).toBe('/own.png')
    expect(sourceIn(screen.getByRole('article', { name: 'Plain' }))).toBe('/pack.png')
    expect(sourceIn(screen.getByRole('article', { name: 'Uploaded' }))).toBe(
      'data:image/webp;base64,QUJD',
    )
    fireEvent.error(article.querySelector('img')!)
    await waitFor(() => expect(article.querySelector('[data-icon="crown"]')).not.toBeNull())
  })

  it('has odds that stand in the address: a link opens them, the way back closes them', async () => {
    const empty = { scaled: false, entries: [], noPrizeChance: 1, consolationRedCoin: 5 }
    const types = answers(packsContract.types, [])
    server.use(answers(fairnessContract.odds, { ...empty, packTypeId: 1, tableHash: 'a' }), types)
    // Two listings of one pack type have the same odds.
    listings = [listing({}), listing({ id: 6 })]
    const { router, user } = await renderApp('/store?odds=1')
    const dialog = await screen.findByRole('dialog', { name: 'Odds of Crown Pack' })
    expect(
      await within(dialog).findByText('There is no prize in this pack at the moment.'),
    ).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.state.location.search).toEqual({})
    await user.click(
      screen.getAllByRole('button', { name: 'Odds of Crown Pack' })[1] as HTMLElement,
    )
    await screen.findByRole('dialog', { name: 'Odds of Crown Pack' })
    expect(router.state.location.search).toEqual({ odds: '1' })
    act(() => router.history.back())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('has quantity, total and button in stock, and none of them out of stock', async () => {
    listings = [listing({}), listing({ id: 6, quantityAvailable: 0 }, { name: 'Gone' })]
    const { user, card } = await openStore()
    expect(quantityOf(card).value).toBe('1')
    await typeQuantity({ user, card }, '3')
    expect(card.getByText('Total Cost').nextElementSibling?.textContent).toBe('300 RedCoin')
    expect(card.getByText(/^Balance after/).textContent).toBe('Balance after: 700')
    expect(card.getByRole('button', { name: 'Purchase' })).toBeTruthy()
    const gone = within(screen.getByRole('article', { name: 'Gone' }))
    expect(gone.getByText('Out of stock')).toBeTruthy()
    expect(gone.getAllByText(/out of stock|sold out/i)).toHaveLength(1)
    expect(gone.queryByRole('spinbutton')).toBeNull()
    expect(gone.queryByText('Total Cost')).toBeNull()
    expect(gone.queryByRole('button', { name: /Purchas|Insufficient/ })).toBeNull()
  })

  it('bounds the quantity by 1 and the stock, without end when unlimited', async () => {
    const unlimited = { id: 6, isUnlimited: true, quantityAvailable: 0 }
    listings = [listing({}), listing(unlimited, { name: 'Endless' })]
    const { card } = await openStore()
    expect(card.getByText('7 in stock')).toBeTruthy()
    expect(quantityOf(card).min).toBe('1')
    expect(quantityOf(card).max).toBe('7')
    const endless = within(screen.getByRole('article', { name: 'Endless' }))
    expect(endless.getByText('Unlimited')).toBeTruthy()
    expect(quantityOf(endless).max).toBe('')
  })

  it('says in red and on the button that it cannot be paid', async () => {
    balance = 250
    const { user, card } = await openStore()
    await typeQuantity({ user, card }, '2')
    expect(card.getByText('200 RedCoin').className).not.toContain('danger')
    await typeQuantity({ user, card }, '3')
    const { hue, saturation } = colourOf(card.getByText('300 RedCoin'))
    expect(Math.min(hue, 360 - hue)).toBeLessThan(20)
    expect(saturation).toBeGreaterThan(0.5)
    const button = card.getByRole<HTMLButtonElement>('button', { name: 'Insufficient RedCoin' })
    expect(button.disabled).toBe(false)
    const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toBe('You need 50 more RedCoin.')
  })

  it('turns a negative quantity into 0', async () => {
    const { user, card } = await openStore()
    await typeQuantity({ user, card }, '-3')
    expect(quantityOf(card).value).toBe('0')
  })

  it('takes whole packs alone, and shows no cost of a part of one', async () => {
    const { user, card } = await openStore()
    await typeQuantity({ user, card }, '2')
    const whole = card.getByText('Total Cost').nextElementSibling?.textContent
    await typeQuantity({ user, card }, '2.5')
    expect(quantityOf(card).value).toBe('2')
    expect(card.getByText('Total Cost').nextElementSibling?.textContent).toBe(whole)
  })
})

describe('an order that breaks a rule', () => {
  it.each([
    ['0', 'Invalid Quantity', 'Please enter a quantity greater than 0.', 1000],
    ['', 'Invalid Quantity', 'Please enter a quantity greater than 0.', 1000],
    ['5', 'Insufficient RedCoin', 'You need 500 RedCoin but only have 450.', 450],
    ['9', 'Not Enough Stock', 'Only 7 packs available.', 1000],
    ['15', 'Insufficient RedCoin', 'You need 1,500 RedCoin but only have 1,450.', 1450],
  ])('of %j is refused with %s and nothing is sent', async (typed, title, sentence, has) => {
    balance = has
    const orders = sell()
    const { user, card } = await openStore()
    await typeQuantity({ user, card }, typed)
    await user.click(card.getByRole('button', { name: /^(Purchase|Insufficient RedCoin)$/ }))
    const messages = within(await screen.findByRole('region', { name: /Messages/ }))
    expect(await messages.findByText(title.replace(/ \[.*/, ''))).toBeTruthy()
    expect(messages.getByText(sentence)).toBeTruthy()
    expect(orders).toEqual([])
  })
})

describe('a purchase', () => {
  it('is sent once with a key, says so, and leads to the packs', async () => {
    const orders = sell()
    const { user, card } = await openStore()
    await typeQuantity({ user, card }, '2')
    card.getByRole('button', { name: 'Purchase' }).focus()
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Purchase Successful!')).toBeTruthy()
    await waitFor(() =>
      expect(document.activeElement).toBe(card.getByRole('button', { name: 'Purchase' })),
    )
    expect(screen.getByText('Packs have been added to your inventory.')).toBeTruthy()
    expect(orders.map(({ body }) => body)).toEqual([
      { storePackListingId: 5, quantity: 2, expectedPrice: 100 },
    ])
    expect(orders[0]?.key).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(card.getByRole('link', { name: 'Open now' }).getAttribute('href')).toBe('/inventory')
  })

  it('shows Purchasing... and takes no second click while it is under way', async () => {
    const { orders, answer } = sellLater()
    const { user, card } = await openStore()
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    const pending = await card.findByRole('button', { name: 'Purchasing...' })
    expect(pending.ariaDisabled).toBe('true')
    await user.click(pending)
    await waitFor(() => expect(orders).toHaveLength(1))
    answer(HttpResponse.json(sold(900)))
    expect(await card.findByRole('button', { name: 'Purchase' })).toBeTruthy()
    expect(orders).toHaveLength(1)
  })

  it.each([
    ['a click', fireEvent.click, { detail: 1 }, { detail: 2 }],
    ['Enter', fireEvent.keyDown, { key: 'Enter' }, { key: 'Enter', repeat: true }],
  ] as const)('is made once by %s that goes on', async (_what, press, first, again) => {
    const orders = sell()
    const { card } = await openStore()
    for (const how of [first, again, again]) {
      const button = await card.findByRole('button', { name: 'Purchase' })
      // As browsers do, where the page does not keep them from it.
      if (press(button, how) && press === fireEvent.keyDown) fireEvent.click(button)
    }
    await card.findByRole('link', { name: 'Open now' })
    expect(orders).toHaveLength(1)
  })

  it('is still under way after a look at another screen', async () => {
    const { orders, answer } = sellLater()
    const { user, card, router } = await openStore()
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    await waitFor(() => expect(orders).toHaveLength(1))
    await act(() => router.navigate({ to: '/leaderboard' }))
    await screen.findByText('No Rankings Yet')
    await act(() => router.navigate({ to: '/store' }))
    const back = within(await screen.findByRole('article', { name: 'Crown Pack' }))
    const pending = await back.findByRole('button', { name: 'Purchasing...' })
    expect(pending.ariaDisabled).toBe('true')
    answer(HttpResponse.json(sold(900)))
    expect(await back.findByRole('button', { name: 'Purchase' })).toBeTruthy()
  })

  it('that was not answered is sent again under its key, also after a reload', async () => {
    const replied = [() => HttpResponse.error(), () => HttpResponse.json(sold(900))]
    const orders = sell(() => replied.shift()!())
    const first = await openStore()
    await first.user.click(first.card.getByRole('button', { name: 'Purchase' }))
    expect(await screen.findByText('Purchase Failed')).toBeTruthy()
    first.unmount()
    const { user, card } = await openStore()
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    expect(await screen.findByText('Purchase Successful!')).toBeTruthy()
    expect(orders).toHaveLength(2)
    expect(orders[1]?.key).toBe(orders[0]?.key)
  })

  it('broadcasts and caches the new balance, then asks for user, listings and packs', async () => {
    sell(() => HttpResponse.json(sold(840)))
    const broadcast: number[] = []
    const stop = onBalance((announced) => broadcast.push(announced))
    const { user, card, queryClient } = await openStore()
    const cached: unknown[] = []
    queryClient.getQueryCache().subscribe(() => {
      const user = queryClient.getQueryData<SessionUser>([authContract.me.path])
      cached.push(user?.redCoinBalance)
    })
    expect(asked).toEqual({ me: 1, listings: 1 })
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    await waitFor(() => expect(asked).toEqual({ me: 2, listings: 2, holdings: 1 }))
    expect(broadcast).toEqual([840])
    // The pretend server still says 1000: 840 can only have come from the answer.
    expect(cached).toContain(840)
    stop()
  })

  it('that failed says why', async () => {
    server.use(refuses(storeContract.purchase, 400, 'Only 2 packs available.'))
    const { user, card } = await openStore()
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    expect(await screen.findByText('Purchase Failed')).toBeTruthy()
    expect(screen.getByText('Only 2 packs available.')).toBeTruthy()
    await waitFor(() => expect(asked['listings']).toBe(2))
  })

  it('that failed without a word says that it failed', async () => {
    const { user, card } = await openStore()
    vi.stubGlobal('fetch', () => Promise.reject(new Error('')))
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    expect(await screen.findByText('Purchase Failed')).toBeTruthy()
    expect(screen.getByText('Failed to purchase packs')).toBeTruthy()
  })

  it('asks again at another price, with a key of its own', async () => {
    const replied = [risePrice, () => HttpResponse.json(sold(760))]
    const orders = sell(() => replied.shift()!())
    const { user, card } = await openStore()
    await typeQuantity({ user, card }, '2')
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText('The price of Crown Pack has changed')).toBeTruthy()
    expect(question.getByText('100 RedCoin')).toBeTruthy()
    expect(question.getByText('120 RedCoin')).toBeTruthy()
    expect(question.getByText('240 RedCoin in total for 2 packs.')).toBeTruthy()
    expect(screen.queryByText('Purchase Failed')).toBeNull()
    await user.click(question.getByRole('button', { name: 'Buy for 240 RedCoin' }))
    expect(await screen.findByText('Purchase Successful!')).toBeTruthy()
    expect(orders.map(({ body }) => body)).toEqual([
      { storePackListingId: 5, quantity: 2, expectedPrice: 100 },
      { storePackListingId: 5, quantity: 2, expectedPrice: 120 },
    ])
    expect(orders[1]?.key).not.toBe(orders[0]?.key)
  })

  it('buys nothing when the other price is not wanted', async () => {
    const orders = sell(risePrice)
    const { user, card } = await openStore()
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    await screen.findByRole('alertdialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(orders).toHaveLength(1)
    expect(card.getAllByText('120 RedCoin').length).toBeGreaterThan(0)
  })

  it('at another price says that nothing was bought where the store was left meanwhile', async () => {
    const { orders, answer } = sellLater()
    const { user, card, router } = await openStore()
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    await waitFor(() => expect(orders).toHaveLength(1))
    await act(() => router.navigate({ to: '/leaderboard' }))
    await screen.findByText('No Rankings Yet')
    answer(risePrice())
    expect(await screen.findByText(/The price has changed, and nothing was bought/)).toBeTruthy()
  })

  it('whose answer was lost is repeated at its own price, whatever it costs by now', async () => {
    let isLost = true
    const orders = sell(() => {
      if (!isLost) return HttpResponse.json(sold(900))
      listings = [listing({ redCoinPrice: 120 })]
      return HttpResponse.error()
    })
    const { user, card } = await openStore()
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    await screen.findByText('Purchase Failed')
    await waitFor(() => expect(card.getAllByText('120 RedCoin').length).toBeGreaterThan(0))
    isLost = false
    await user.click(card.getByRole('button', { name: 'Purchase' }))
    expect(await screen.findByText('Purchase Successful!')).toBeTruthy()
    expect(orders[1]).toEqual(orders[0])
    // Once answered, the next purchase is another one.
    await user.click(await card.findByRole('button', { name: 'Purchase' }))
    await waitFor(() => expect(orders).toHaveLength(3))
    expect(orders[2]?.key).not.toBe(orders[0]?.key)
    await card.findByRole('button', { name: 'Purchase' })
  })
})

describe('the listings', () => {
  it('are asked for again on every visit', async () => {
    const { router } = await openStore()
    await act(() => router.navigate({ to: '/leaderboard' }))
    await screen.findByText('No Rankings Yet')
    await act(() => router.navigate({ to: '/store' }))
    await screen.findByRole('article', { name: 'Crown Pack' })
    await waitFor(() => expect(asked['listings']).toBe(2))
  })

  it('are asked for again when the window gets the focus; a smaller stock lowers the quantity and says so', async () => {
    const { user, card } = await openStore()
    await typeQuantity({ user, card }, '5')
    listings = [listing({ quantityAvailable: 3 })]
    act(() => {
      fireEvent.focus(window)
    })
    const notice = 'Only 3 left now, so your quantity was lowered to 3.'
    expect(await card.findByText(notice)).toBeTruthy()
    expect(quantityOf(card).value).toBe('3')
    expect(asked['listings']).toBe(2)
    expect(await screen.findByText(`Crown Pack: ${notice}`)).toBeTruthy()
  })
})
