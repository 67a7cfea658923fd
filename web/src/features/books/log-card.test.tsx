// The card of the public log: its state and every trouble in plain words.

import { adminLogContract, type LogState } from '@redpack/contract'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { LogCard } from './overview-panel.tsx'

const server = mockServer()
const well: LogState = {
  now: '2026-11-21T12:00:00.000Z',
  origin: 'packs.example.test/log',
  entries: 1234,
  waiting: 0,
  setAside: 0,
  checkpoint: { size: 1234, signedAt: '2026-11-21T11:59:58.000Z' },
  trouble: null,
  key: 'packs.example.test/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  changes: [],
  witnesses: [],
  discord: null,
}
async function show(change: Partial<LogState>) {
  server.use(answers(adminLogContract.state, { ...well, ...change }))
  await renderPart(<LogCard />)
  return await screen.findByRole('group', { name: 'Public log' })
}

describe('the public log', () => {
  it('is OK when all is signed', async () => {
    const card = await show({})
    expect(card.textContent).toContain('OK')
    expect(card.textContent).toContain('1,234')
    expect(card.textContent).toContain('All entries')
    expect(card.textContent).toContain(well.key)
  })

  it.each([
    ['no_key', 'Set LOG_SIGNING_KEY and restart'],
    ['key_changed', 'If the old key is lost, run "node server/dist/cli.js renew-log"'],
    ['history_lost', 'an older backup was restored'],
    ['inconsistent', 'someone changed the database'],
  ] as const)('says what to do about %s', async (trouble, words) => {
    const card = await show({ trouble, checkpoint: { ...well.checkpoint!, size: 1 } })
    expect(card.textContent).toContain('Needs attention')
    expect(card.textContent).toContain(words)
    expect(card.textContent).toContain('The first entry,')
  })

  it('shows witnesses, Discord, what waits and what was changed', async () => {
    const card = await show({
      waiting: 2,
      setAside: 1,
      changes: [{ at: '2026-11-20T12:00:00.000Z', reason: 'new_key', fromSize: 900 }],
      witnesses: [
        { name: 'w1', cosignedAt: '2026-11-21T11:00:00.000Z', seenSize: 1200, problem: null },
        { name: 'w2', cosignedAt: null, seenSize: 0, problem: 'It cannot be reached' },
      ],
      discord: { channelId: '1', postedDay: '2026-11-20', problem: 'Missing Access' },
    })
    for (const words of [
      '2 events; 1 cannot be logged',
      'The key was changed at entry 900',
      'Cosigned 1,200 entries',
      'It cannot be reached. Has never cosigned.',
      'Missing Access. Posted for Nov 20, 2026.',
      'Needs attention',
    ]) {
      expect(card.textContent).toContain(words)
    }
  })

  it('says when nothing was signed yet', async () => {
    const card = await show({ origin: null, key: null, checkpoint: null, entries: 0 })
    expect(card.textContent).toContain('Not yet')
    expect(card.textContent).toContain('None yet')
  })
})
