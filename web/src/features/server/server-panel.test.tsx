// The Server tab: what is broken first, in words, with what to do; and what happens without answer.

import { adminServerContract, type ServerLine, type ServerState } from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { holdWaits } from '../../../test/held-waits.ts'
import { answers, mockServer, refuses } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { ServerPanel, serverStateMs } from './server-panel.tsx'

const server = mockServer()
const line = (id: string, change: Partial<ServerLine> = {}): ServerLine => ({
  id,
  title: `Title of ${id}`,
  state: 'fine',
  figure: '12 ms',
  sentence: `The ${id} is well.`,
  action: null,
  ...change,
})
const stateOf = (...lines: ServerLine[]): ServerState => ({
  now: '2026-11-21T12:00:00.000Z',
  process: { name: 'host 42', version: '1.0.0', startedAt: '2026-11-21T11:00:00.000Z' },
  lines,
})
const state = adminServerContract.state

async function show(...lines: ServerLine[]) {
  server.use(answers(state, stateOf(...lines)))
  await renderPart(<ServerPanel />)
  const list = await screen.findByRole('list', { name: 'State of the server' })
  return within(list).getAllByRole('listitem')
}

describe('the Server tab', () => {
  it('says that all is well, with each figure and which process answered', async () => {
    const [database] = await show(line('database'), line('writing'))
    expect(screen.getByText('Everything is OK.').getAttribute('role')).toBe('status')
    expect(within(database!).getByRole('heading', { level: 3 }).textContent).toBe(
      'Title of database',
    )
    for (const text of ['OK', '12 ms', 'The database is well.']) {
      expect(within(database!).getByText(text)).toBeTruthy()
    }
    expect(within(database!).queryByText('What to do:')).toBeNull()
    expect(screen.getByText(/Answered by host 42, version 1.0.0/)).toBeTruthy()
  })

  it('puts what is broken first, then what needs a look, and says what to do', async () => {
    const items = await show(
      line('database'),
      line('queue', { state: 'look', action: 'Look at the job.' }),
      line('books', { state: 'broken', action: 'Stop granting.' }),
      line('log', { state: 'look', action: 'Look at the log.' }),
    )
    const titles = items.map((item) => within(item).getByRole('heading').textContent)
    expect(titles).toEqual([
      'Title of books',
      'Title of queue',
      'Title of log',
      'Title of database',
    ])
    expect(screen.getByText('1 thing is broken, 2 things need attention.')).toBeTruthy()
    expect(within(items[0]!).getByText('Broken')).toBeTruthy()
    expect(within(items[0]!).getByText(/Stop granting\./)).toBeTruthy()
    expect(within(items[1]!).getByText('Needs attention')).toBeTruthy()
  })

  it('says that the server said nothing', async () => {
    server.use(answers(state, stateOf()))
    await renderPart(<ServerPanel />)
    expect(await screen.findByText('Nothing to report')).toBeTruthy()
  })

  it('keeps what it knew when an update fails, and says so', async () => {
    const pollPasses = holdWaits('Interval', serverStateMs)
    await show(line('database'))
    server.use(refuses(state, 503, 'The service is busy, please try again in a moment'))
    await pollPasses()
    expect(await screen.findByText(/The last update failed/)).toBeTruthy()
    expect(screen.getByText('The database is well.')).toBeTruthy()
  })
})
