// The public draw log and the comparison with the published odds, as everyone sees them.

import { type DrawLogEntry, drawLogContract, type ObservedPrize } from '@redpack/contract'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { answers, mockServer, refuses, replies } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { DrawAlarm } from '../overview/draw-alarm.tsx'
import { DrawLogCard } from './draw-log-card.tsx'
import { checkLinks, entryHash, startOfChain } from './hash-chain.ts'
import { ObservedCard } from './observed-card.tsx'

configure({ defaultHidden: true })

const server = mockServer()

/** A log of this many entries whose chain holds. */
async function logOf(count: number): Promise<DrawLogEntry[]> {
  const entries: DrawLogEntry[] = []
  for (let position = 1; position <= count; position += 1) {
    const entry: DrawLogEntry = {
      position,
      openingRequestAt: '2026-11-20T10:00:00.000Z',
      packTypeId: 2,
      tableHash: 'a'.repeat(64),
      serverSeedHash: 'b'.repeat(64),
      firstNonce: position * 2,
      quantity: 2,
      prizeIds: [7, null],
      previousHash: entries.at(-1)?.hash ?? startOfChain.hash,
      hash: '',
    }
    entries.push({ ...entry, hash: await entryHash(entry) })
  }
  return entries
}

let log: DrawLogEntry[]
beforeAll(async () => {
  log = await logOf(45)
})

/** Answers like the server: what lies behind a position. */
function serve(entries: readonly DrawLogEntry[]) {
  server.use(
    replies(drawLogContract.list, ({ url }) => {
      const query = new URL(url).searchParams
      const after = Number(query.get('after'))
      const page = entries.filter(({ position }) => position > after)
      const end = entries.at(-1)
      return HttpResponse.json({
        entries: page.slice(0, Number(query.get('limit'))),
        latest: end ? { position: end.position, hash: end.hash } : null,
      })
    }),
  )
}

/** The log with one entry changed. */
function changed(position: number, change: Partial<DrawLogEntry>): DrawLogEntry[] {
  return log.map((entry) => (entry.position === position ? { ...entry, ...change } : entry))
}

describe('the chain', () => {
  it('holds for a log that nobody has touched', async () => {
    const { end, fault } = await checkLinks(startOfChain, log)
    expect(fault).toBeUndefined()
    expect(end).toEqual({ position: 45, hash: log[44]?.hash })
  })

  it.each<[string, () => DrawLogEntry[], object]>([
    ['an outcome', () => changed(7, { prizeIds: [7, 7] }), { position: 7, reason: 'hash' }],
    ['a hash', () => changed(7, { hash: 'c'.repeat(64) }), { position: 7, reason: 'hash' }],
    ['a link', () => changed(7, { previousHash: 'c'.repeat(64) }), { position: 7, reason: 'link' }],
    ['a gap', () => log.filter(({ position }) => position !== 7), { position: 8, reason: 'link' }],
  ])('breaks at %s that was changed', async (_what, entries, fault) => {
    expect((await checkLinks(startOfChain, entries())).fault).toEqual(fault)
  })
})

describe('the draw log', () => {
  it('shows the newest entries first, checked in the browser', async () => {
    serve(log)
    server.use(
      answers(drawLogContract.observed, {
        packTypes: [{ packTypeId: 2, name: 'Gold Pack', draws: 90, prizes: [] }],
      }),
    )
    await renderPart(<DrawLogCard upTo={undefined} onTurn={() => undefined} />)
    expect(await screen.findByText(/Your browser checked this page/)).toBeTruthy()
    expect(await screen.findAllByText(/of Gold Pack/)).toHaveLength(20)
    const rows = within(screen.getAllByRole('list')[0]!).getAllByRole('listitem')
    expect(rows).toHaveLength(20)
    expect(rows[0]?.textContent).toContain('#45 2 packs of Gold Pack, 1 prize')
    expect(rows[0]?.textContent).toContain(log[44]?.hash)
    expect(screen.getByText('Entries 45 to 26 of 45')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Newer' }).disabled).toBe(true)
  })

  it('turns to older and newer entries by their positions', async () => {
    serve(log)
    const onTurn = vi.fn()
    const { user } = await renderPart(<DrawLogCard upTo={25} onTurn={onTurn} />)
    expect(await screen.findByText('Entries 25 to 6 of 45')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Older' }))
    await user.click(screen.getByRole('button', { name: 'Newer' }))
    expect(onTurn.mock.calls).toEqual([[5], [undefined]])
  })

  it('names the entry that breaks the chain, also at the edge of the page', async () => {
    serve(changed(26, { previousHash: 'c'.repeat(64) }))
    await renderPart(<DrawLogCard upTo={undefined} onTurn={() => undefined} />)
    expect(
      await screen.findByText('Entry 26 does not go on from the entry before it.'),
    ).toBeTruthy()
    expect(screen.queryByText(/Your browser checked this page/)).toBeNull()
  })

  it('is checked as a whole, from the first entry to the newest', async () => {
    serve(log)
    const { user } = await renderPart(<DrawLogCard upTo={undefined} onTurn={() => undefined} />)
    await user.click(await screen.findByRole('button', { name: 'Check the whole log' }))
    expect(await screen.findByText('The chain holds from entry 1 to entry 45.')).toBeTruthy()
  })

  it('is found to be broken anywhere by the check of the whole', async () => {
    serve(changed(3, { quantity: 50 }))
    const { user } = await renderPart(<DrawLogCard upTo={undefined} onTurn={() => undefined} />)
    await user.click(await screen.findByRole('button', { name: 'Check the whole log' }))
    expect(await screen.findByText(/The chain breaks at entry 3/)).toBeTruthy()
  })

  it('says that there are no draws yet', async () => {
    serve([])
    await renderPart(<DrawLogCard upTo={undefined} onTurn={() => undefined} />)
    expect(await screen.findByText('No draws yet')).toBeTruthy()
  })

  it('says that it could not be loaded', async () => {
    server.use(refuses(drawLogContract.list, 500, 'Nothing works'))
    await renderPart(<DrawLogCard upTo={undefined} onTurn={() => undefined} />)
    expect(await screen.findByText('The draw log could not be loaded')).toBeTruthy()
  })
})

const mug: ObservedPrize = {
  prizeId: 1,
  name: 'Mug',
  publishedChance: 0.01,
  draws: 1000,
  observedWins: 11,
  soldOutDraws: 1,
  low: 0.0056,
  high: 0.0245,
  isOutside: false,
}

function observe(...prizes: ObservedPrize[]) {
  server.use(
    answers(drawLogContract.observed, {
      packTypes: [{ packTypeId: 1, name: 'Gold', draws: 1000, prizes }],
    }),
  )
}

describe('published and observed', () => {
  it('stand side by side, with the range in plain numbers', async () => {
    observe(mug)
    await renderPart(<ObservedCard />)
    const row = within((await screen.findByText('Mug')).closest('li')!)
    expect(row.getByText('1%')).toBeTruthy()
    expect(row.getByText('1.2%, 12 of 1,000 packs (1 while sold out)')).toBeTruthy()
    expect(row.getByText('0.56% to 2.45%')).toBeTruthy()
    expect(row.getByText('As published')).toBeTruthy()
  })

  it('mark a prize that lies outside', async () => {
    observe({ ...mug, isOutside: true })
    await renderPart(<ObservedCard />)
    expect(await screen.findByText('Outside the range')).toBeTruthy()
    expect(screen.getByText('1 outside')).toBeTruthy()
  })

  it('say that nothing is drawn yet, or that they could not be loaded', async () => {
    server.use(answers(drawLogContract.observed, { packTypes: [] }))
    const { unmount } = await renderPart(<ObservedCard />)
    expect(await screen.findByText('Nothing drawn yet')).toBeTruthy()
    unmount()
    server.use(refuses(drawLogContract.observed, 500, 'Nothing works'))
    await renderPart(<ObservedCard />)
    expect(await screen.findByText('The comparison could not be loaded')).toBeTruthy()
  })
})

describe('the alarm for staff', () => {
  it('names the prizes that lie outside', async () => {
    observe({ ...mug, isOutside: true }, { ...mug, prizeId: 2, name: 'Cap' })
    await renderPart(<DrawAlarm />)
    expect(await screen.findByText('Mug in Gold')).toBeTruthy()
    expect(screen.queryByText('Cap in Gold')).toBeNull()
  })

  it('is quiet while every prize is drawn as published', async () => {
    observe(mug)
    await renderPart(<DrawAlarm />)
    await waitFor(() =>
      expect(screen.getByText('Every prize is drawn as often as was published.')).toBeTruthy(),
    )
  })
})
