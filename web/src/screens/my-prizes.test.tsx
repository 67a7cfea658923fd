// My Prizes as its user sees it.

import { authContract, type Claim, type ClaimsResponse, claimsContract } from '@redpack/contract'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { colourOf } from '../../test/colour-of.ts'
import { retryAtOnce } from '../../test/held-waits.ts'
import { answers, holds, mockServer, replies } from '../../test/mock-server.ts'
import { renderApp } from '../../test/render.tsx'
import { sampleOwnClaim, samplePagination, sampleUser } from '../../test/samples.ts'
import { claimsFailure, claimsRetryPauseMs } from '../features/claims/queries.ts'

// Asking of every row whether it can be seen would take longer than all the rest; nothing here
// hides.
configure({ defaultHidden: true })

const server = mockServer(answers(authContract.me, sampleUser({ redCoinBalance: 4321 })))

function claim(id: number, prize: Partial<Claim['prize']> = {}, status = 'pending'): Claim {
  const named = { id, name: `Prize ${id}`, claimInstructions: 'Write to us.', ...prize }
  return sampleOwnClaim(named, { id, claimId: `PR-${id}`, status: status as Claim['status'] })
}

/** One page out of `totalItems` claims. */
function pageOf(page: number, totalItems: number, claims?: Claim[]): ClaimsResponse {
  const limit = 25
  const count = Math.max(0, Math.min(limit, totalItems - (page - 1) * limit))
  const made = Array.from({ length: count }, (_, index) => claim((page - 1) * limit + index + 1))
  return { claims: claims ?? made, pagination: samplePagination(totalItems, page) }
}

let asked: URLSearchParams[]
beforeEach(() => {
  asked = []
})

/** Physical prizes by count, RedCoin prizes by count. */
function serve(physical: number, redcoin = 0) {
  server.use(
    replies(claimsContract.list, (request) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const total = query.get('filter') === 'redcoin' ? redcoin : physical
      return HttpResponse.json(pageOf(Number(query.get('page')), total))
    }),
  )
}

function serveClaims(...claims: Claim[]) {
  server.use(answers(claimsContract.list, pageOf(1, claims.length, claims)))
}

async function cardOf(name: string) {
  return within(await screen.findByRole('article', { name }))
}

describe('My Prizes', () => {
  it('asks for the first page of physical prizes, 25 of them, and shows the balance', async () => {
    serve(30)
    await renderApp('/my-prizes')
    const main = within(screen.getByRole('main'))
    expect(await main.findByText('Showing 25 of 30 physical prizes')).toBeTruthy()
    expect(asked.map(String)).toEqual(['page=1&limit=25&filter=physical'])
    const balance = main.getByText((4321).toLocaleString()).parentElement
    expect(balance?.textContent).toContain('RedCoin')
    const filter = main.getByRole<HTMLSelectElement>('combobox', { name: 'Filter' })
    expect(filter.selectedOptions[0]?.text).toBe('Physical Prizes')
    expect(filter.value).toBe('physical')
  })

  it('goes to the first page of RedCoin prizes by the filter', async () => {
    serve(80, 60)
    const { user, router } = await renderApp('/my-prizes?page=2')
    await screen.findByText('Showing 25 of 80 physical prizes')
    await user.selectOptions(screen.getByLabelText('Filter'), 'RedCoin Prizes')
    expect(await screen.findByText('Showing 25 of 60 RedCoin prizes')).toBeTruthy()
    expect(asked.map(String).slice(1)).toEqual(['page=1&limit=25&filter=redcoin'])
    expect(router.state.location.search).toEqual({ filter: 'redcoin' })
    expect(screen.getByRole('heading', { name: 'RedCoin Prizes' })).toBeTruthy()
  })

  it('shows what a physical prize and a RedCoin prize are, and copies a Claim ID', async () => {
    serveClaims(
      claim(1, { name: 'Hoodie', claimInstructions: 'Send us your size.' }),
      claim(2, { name: 'Chest', redCoinAmount: 1500, claimInstructions: 'Wait.' }),
      { ...claim(3, { name: 'Cap', claimInstructions: 'Wash it cold.' }), status: 'completed' },
    )
    const { user } = await renderApp('/my-prizes')
    expect((await cardOf('Cap')).getByText('Wash it cold.')).toBeTruthy()
    const hoodie = await cardOf('Hoodie')
    expect(hoodie.getByText('pending').className).toContain('uppercase')
    expect(hoodie.getByText('Send us your size.')).toBeTruthy()
    expect(hoodie.getByText('PR-1')).toBeTruthy()
    expect(hoodie.queryByText(/\d RedCoin/)).toBeNull()
    const chest = await cardOf('Chest')
    expect(chest.getByText(`${(1500).toLocaleString()} RedCoin`)).toBeTruthy()
    expect(chest.queryByText('Wait.')).toBeNull()
    // There is but one page.
    expect(screen.queryByText('Next')).toBeNull()

    await user.click(hoodie.getByRole('button', { name: 'Copy Claim ID PR-1' }))
    expect(await navigator.clipboard.readText()).toBe('PR-1')
    const said = await screen.findByText('Copied')
    expect(said.getAttribute('aria-live')).toBe('polite')
  })

  it('shows the picture, else, or when it is broken, a coin or a trophy', async () => {
    serveClaims(
      claim(1, { name: 'Pictured', imageData: 'AAAA', imageType: 'image/webp' }),
      claim(2, { name: 'Coins', redCoinAmount: 5 }),
      claim(3, { name: 'Cup' }),
      claim(4, { name: 'Served', imageType: 'image/webp', imageUrl: '/uploads/a.webp' }),
    )
    await renderApp('/my-prizes')
    await screen.findByText('Pictured')
    const article = (name: string) => screen.getByRole('article', { name })
    const icon = (name: string) => article(name).querySelector('[data-icon]')
    const iconOf = (name: string) => icon(name)?.getAttribute('data-icon')
    const picture = article('Pictured').querySelector('img')
    expect(picture?.getAttribute('src')).toBe('data:image/webp;base64,AAAA')
    expect(article('Served').querySelector('img')?.getAttribute('src')).toBe('/uploads/a.webp')
    expect(['Pictured', 'Coins', 'Cup'].map(iconOf)).toEqual([undefined, 'coin', 'trophy'])
    picture?.dispatchEvent(new Event('error'))
    await waitFor(() => expect(iconOf('Pictured')).toBe('trophy'))
  })

  it('paints completed green, processing blue, pending yellow, any other status grey', async () => {
    const hues = { completed: [90, 170], processing: [200, 250], pending: [40, 60] }
    const statuses = [...Object.keys(hues), 'constructor']
    serveClaims(...statuses.map((status, index) => claim(index + 1, {}, status)))
    await renderApp('/my-prizes')
    for (const [status, [from = 0, to = 0]] of Object.entries(hues)) {
      const { hue, saturation } = colourOf(await screen.findByText(status))
      expect(saturation).toBeGreaterThan(0.5)
      expect(hue).toBeGreaterThan(from)
      expect(hue).toBeLessThan(to)
    }
    expect(colourOf(screen.getByText('constructor')).saturation).toBeLessThan(0.2)
  })
})

describe('the pages of My Prizes', () => {
  it('show five numbers around the current one', async () => {
    serve(250)
    await renderApp('/my-prizes?page=6')
    const pages = await screen.findByRole('navigation', { name: 'Prize pages' })
    const numbers = within(pages).getAllByRole('button', { name: /^Page/ })
    expect(numbers.map(({ textContent }) => textContent)).toEqual(['4', '5', '6', '7', '8'])
    expect(numbers[2]?.getAttribute('aria-current')).toBe('page')
  })

  it('are turned by Previous, Next and numbers; each stays until the next is there', async () => {
    serve(80)
    const { user, router } = await renderApp('/my-prizes')
    await screen.findByRole('article', { name: 'Prize 1' })
    const second = holds(claimsContract.list, () => HttpResponse.json(pageOf(2, 80)), {
      once: true,
    })
    server.use(second.handler)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Refreshing')).toBeTruthy()
    expect(screen.getByRole('article', { name: 'Prize 1' })).toBeTruthy()
    second.release()
    expect(await screen.findByRole('article', { name: 'Prize 26' })).toBeTruthy()
    expect(router.state.location.search).toEqual({ page: 2 })
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: /Physical Prizes/ }))
    expect(await screen.findByText('Physical Prizes, page 2 of 4')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(await screen.findByRole('article', { name: 'Prize 1' })).toBeTruthy()
    expect(router.state.location.search).toEqual({})
    await user.click(screen.getByRole('button', { name: 'Page 4' }))
    expect(await screen.findByText('Showing 5 of 80 physical prizes')).toBeTruthy()
    const next = screen.getByRole('button', { name: 'Next' })
    expect(next.getAttribute('aria-disabled')).toBe('true')
  })

  it('lead back to the last from one beyond it', async () => {
    serve(30)
    const { router } = await renderApp('/my-prizes?page=9')
    expect(await screen.findByText('Showing 5 of 30 physical prizes')).toBeTruthy()
    expect(router.state.location.search).toEqual({ page: 2 })
  })
})

describe('My Prizes without prizes', () => {
  it('asks three times more, says that they could not be loaded, and keeps what is shown', async () => {
    retryAtOnce([0, 1, 2].map(claimsRetryPauseMs))
    let requests = 0
    const fails = replies(claimsContract.list, () => {
      requests += 1
      return HttpResponse.json({ message: 'Nothing works' }, { status: 500 })
    })
    server.use(fails)
    const { user, queryClient } = await renderApp('/my-prizes')
    expect(await screen.findByText('Error loading your prizes')).toBeTruthy()
    expect(screen.getByText('Please try refreshing the page')).toBeTruthy()
    expect(requests).toBe(4)
    const queryKey = [claimsContract.list.path]
    const [query] = queryClient.getQueryCache().findAll({ queryKey })
    expect(query?.state.error?.message).toBe('Failed to fetch prize claims')
    expect(claimsFailure).toBe('Failed to fetch prize claims')
    serve(1)
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('article', { name: 'Prize 1' })).toBeTruthy()
    server.use(fails)
    await queryClient.refetchQueries({ queryKey })
    expect(screen.getByRole('article', { name: 'Prize 1' })).toBeTruthy()
    expect(screen.queryByText('Error loading your prizes')).toBeNull()
  })
})
