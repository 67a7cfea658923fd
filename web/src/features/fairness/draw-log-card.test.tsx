// The public draw log as everyone sees it, served by honest and by bent servers.

import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  SampleLog,
  type SignedLog,
  sampleKey,
  seedHex,
  signedLog,
} from '../../../../fair/src/sample-log.fixture.ts'
import { servesLog, tileOf } from '../../../test/log-samples.ts'
import { mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { knownAlarms } from './alarm-queries.ts'
import { DrawLogCard } from './draw-log-card.tsx'

configure({ defaultHidden: true })

const key = sampleKey()
// A stock, a table, a chain, 300 openings and the end of the chain.
const openings = new SampleLog()
for (let count = 0; count < 300; count += 1) openings.open(1, 1)
const texts = openings.end(1).texts()
const whole = signedLog(texts, key)

let served: SignedLog
const server = mockServer(...servesLog(() => served))

beforeEach(() => {
  served = whole
})

const show = (page = 1, onPageChange = vi.fn()) =>
  renderPart(<DrawLogCard page={page} onPageChange={onPageChange} />)

/** Shows the log once as it is, so that the browser remembers it, and then as it has become. */
async function showLater(later: SignedLog) {
  const { unmount } = await show()
  await screen.findByText(/Your browser checked this page/)
  unmount()
  served = later
  return show()
}

/** Tiles are kept as browsers do, each under its address. */
function keepsTiles() {
  const kept = new Map<string, SignedLog>()
  const keep = http.get('/log/tile/*', ({ request: { url, cache } }) => {
    const of = (cache === 'reload' ? undefined : kept.get(url)) ?? served
    kept.set(url, of)
    return tileOf(of, url)
  })
  server.use(keep)
}

async function check(user: Awaited<ReturnType<typeof show>>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Check the whole log' }))
}

describe('the log', () => {
  it('shows its checkpoint and its newest entries, checked in the browser', async () => {
    await show()
    expect(await screen.findByText(/Your browser checked this page/)).toBeTruthy()
    expect(screen.getByText('play.example.com/log')).toBeTruthy()
    expect(screen.getByText(/^304 on /)).toBeTruthy()
    expect(screen.getByText('None yet')).toBeTruthy()
    const rows = within(screen.getByRole('list', { name: 'Entries of the log' })).getAllByRole(
      'listitem',
    )
    expect(rows).toHaveLength(20)
    expect(rows[0]?.textContent).toContain('#303 Chain 1 ends, its unused seed is revealed')
    const previous = screen.getByRole('button', { name: 'Previous' })
    expect(previous.getAttribute('aria-disabled')).toBe('true')
  })

  it('turns to older and newer entries, down to the first', async () => {
    const onPageChange = vi.fn()
    const { user, unmount } = await show(2, onPageChange)
    expect(await screen.findByText('#283')).toBeTruthy()
    expect(screen.getByText('#264')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(onPageChange.mock.calls).toEqual([[3], [1]])
    unmount()
    // The last page there is, for an address that is beyond it.
    await show(99)
    expect(await screen.findByText('#0')).toBeTruthy()
    expect(screen.queryByText('#4')).toBeNull()
    const next = screen.getByRole('button', { name: 'Next' })
    expect(next.getAttribute('aria-disabled')).toBe('true')
  })

  it('names its witnesses', async () => {
    const witness = sampleKey('witness.example.com')
    const [body] = whole.checkpoint().split('\n\n')
    const signed = whole.checkpoint() + witness.line(`${body}\n`)
    served = { ...whole, checkpoint: () => signed }
    await show()
    expect(await screen.findByText('1: witness.example.com')).toBeTruthy()
  })

  it('says that there are no entries yet', async () => {
    served = signedLog([], key)
    await show()
    expect(await screen.findByText('No entries yet')).toBeTruthy()
  })

  it('says that it could not be loaded, which is no alarm', async () => {
    server.use(http.get('/log/checkpoint', () => new HttpResponse('', { status: 500 })))
    await show()
    expect(await screen.findByText('Error loading the draw log')).toBeTruthy()
    expect(knownAlarms()).toEqual([])
  })

  it('waits when the server is asked too much', async () => {
    let asked = 0
    server.use(
      http.get('/log/checkpoint', () => {
        asked += 1
        if (asked > 1) return undefined
        return new HttpResponse('', { status: 429, headers: { 'retry-after': '1' } })
      }),
    )
    await show()
    expect(await screen.findByText(/Your browser checked this page/)).toBeTruthy()
  })

  it('finds an opening by its seed, and says where nothing is', async () => {
    const onPageChange = vi.fn()
    const { user } = await show(1, onPageChange)
    const field = await screen.findByLabelText('Id of an opening, a seed or a commitment')
    await user.type(field, `${seedHex(1, 7)}{Enter}`)
    expect(await screen.findByText(/Entry 10, proven to be in the signed log/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show it among the others' }))
    expect(onPageChange).toHaveBeenCalledWith(15)
    await user.clear(field)
    await user.type(field, '77'.repeat(32))
    fireEvent.submit(field)
    // What counts on is not read out.
    expect(screen.getByText(/entries checked/).closest('[role=status]')).toBeNull()
    expect(await screen.findByText('It is not in the log.')).toBeTruthy()
    await user.clear(field)
    await user.type(field, 'me{Enter}')
    expect(await screen.findByText(/Enter the id of an opening/)).toBeTruthy()
  })
})

describe('a log that this browser has seen before', () => {
  it('may grow', async () => {
    served = signedLog(texts.slice(0, 270), key)
    await showLater(whole)
    expect(await screen.findByText(/270 entries on .*; this log goes on from them/)).toBeTruthy()
    expect(knownAlarms()).toEqual([])
  })

  it('may be shown as it was a moment ago', async () => {
    await showLater({ ...whole, checkpoint: () => whole.checkpoint(300) })
    expect(await screen.findByText(/this log goes on from them/)).toBeTruthy()
    expect(knownAlarms()).toEqual([])
  })

  it.each<[string, () => SignedLog, RegExp]>([
    [
      'an entry exchanged',
      () => signedLog([...texts.with(7, '{"type":"greeting"}'), 'more'], key),
      /no longer holds what it held/,
    ],
    [
      'the same size and another root',
      () => signedLog(texts.with(7, '{"type":"greeting"}'), key),
      /no longer holds what it held/,
    ],
    [
      'fewer entries, and others',
      () => signedLog(texts.slice(0, 200).with(7, '{"type":"greeting"}'), key),
      /has become shorter/,
    ],
    ['fewer entries', () => signedLog(texts.slice(0, 200), key), /has become shorter/],
    [
      'a checkpoint of before that never was',
      () => {
        const { checkpoint } = signedLog(texts.slice(0, 200).with(7, '{"type":"greeting"}'), key)
        return { ...whole, checkpoint }
      },
      /was shown to this browser with entries/,
    ],
    ['another key', () => signedLog(texts, sampleKey()), /another key than the one/],
    [
      'a signature of somebody else',
      () => ({ ...whole, checkpoint: () => signedLog(texts, sampleKey()).checkpoint() }),
      /is not signed by the key/,
    ],
  ])('is refused with %s, and the evidence is kept', async (_what, later, sentence) => {
    await showLater(later())
    expect(await screen.findByText('This log cannot be trusted')).toBeTruthy()
    expect(screen.getByText(sentence)).toBeTruthy()
    expect(screen.queryByText(/Your browser checked this page/)).toBeNull()
    const [alarm] = knownAlarms()
    expect(alarm?.text).toMatch(sentence)
    expect(JSON.stringify(alarm?.evidence)).toContain(
      JSON.stringify(whole.checkpoint()).slice(1, -1),
    )
  })

  it('is refused when it is shorter, whatever the browser has kept of it', async () => {
    keepsTiles()
    const { unmount } = await show(15)
    await screen.findByText('#4')
    unmount()
    await showLater(signedLog(texts.slice(0, 200), key))
    expect(await screen.findByText(/has become shorter/)).toBeTruthy()
  })
})

describe('a log whose key was renewed', () => {
  it('is followed anew when the player wants it, and the evidence stays', async () => {
    const { user, unmount } = await showLater(signedLog(texts, sampleKey()))
    await user.click(await screen.findByRole('button', { name: 'Start over with this log' }))
    expect(await screen.findByText(/Your browser checked this page/)).toBeTruthy()
    expect(knownAlarms()).toHaveLength(1)
    unmount()
    const third = sampleKey()
    for (const later of [texts, [...texts, 'more']]) {
      // What contradicts the log again is another alarm, and one however often it is looked at.
      served = signedLog(later, third)
      const shown = await show()
      expect(await screen.findByText('This log cannot be trusted')).toBeTruthy()
      expect(knownAlarms()).toHaveLength(2)
      shown.unmount()
    }
  })

  it('is not accused by what the browser has kept of the tiles of before', async () => {
    keepsTiles()
    const begunAnew = new SampleLog()
    for (let count = 0; count < 300; count += 1) begunAnew.open(2, 1)
    const { user } = await showLater(signedLog(begunAnew.texts(), sampleKey(`${key.name}-2`)))
    await user.click(await screen.findByRole('button', { name: 'Start over with this log' }))
    expect(await screen.findByText(/Your browser checked this page/)).toBeTruthy()
    await check(user)
    expect(await screen.findByText(/All 303 entries passed the check/)).toBeTruthy()
  })
})

describe('the check of the whole log', () => {
  it('reads every entry and draws every opening again', async () => {
    const { user } = await show()
    await check(user)
    expect(await screen.findByText(/All 304 entries passed the check/)).toBeTruthy()
    expect(
      screen.getByText('300 openings with 300 packs drawn again, from 1 chain of seeds.'),
    ).toBeTruthy()
    expect(screen.getByText(/The 304 entries that this browser had seen before/)).toBeTruthy()
  })

  it('finds entries that are not those of the signed tree', async () => {
    const other = signedLog(texts.with(3, '{"type":"greeting"}'), key)
    served = {
      ...whole,
      tile: (name) => (name.level === 'entries' ? other : whole).tile(name),
    }
    const { user } = await show()
    await check(user)
    expect(await screen.findByText('This log failed the check')).toBeTruthy()
    expect(screen.getByText(/Entry 3 is not one of the six kinds/)).toBeTruthy()
    expect(screen.getByText(/do not give the root/)).toBeTruthy()
  })

  it('can be stopped', async () => {
    server.use(http.get('/log/tile/entries/000', () => new Promise<never>(() => {})))
    const { user } = await show()
    await check(user)
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    expect(await screen.findByRole('button', { name: 'Check the whole log' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  })
})
